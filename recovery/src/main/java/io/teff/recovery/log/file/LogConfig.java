package io.teff.recovery.log.file;

import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.SegmentWriter;

/**
 * Sizes of a log. They may be others each time it is opened, but for that of segments, which is what it was when the
 * log was made.
 *
 * @param bufferBytes of the ring, a power of two from 2^14 to 2^30
 * @param segmentBytes most bytes of a segment, a multiple of 4,096: an entry of a quarter of the ring must fit, or one
 *     of 1 MiB and its head if that is less
 * @param blockBytes of a zone's buffer, a multiple of 4,096
 * @param primaryFileBytes of a file of the primary log, a multiple of 4,096: half of the ring must fit
 * @param primaryFiles so many of them are filled before the oldest one is trimmed, at least 1
 * @param skipBytes a zone that has as much in a frame skips the primary log; 0: as much as can, 2^31 - 1: none
 * @param manifestBytes length from which on a manifest is written anew, at least 4,096
 * @param openZones so many zones hold a buffer at most, and so many a file; at least 1
 * @param drainNs nanoseconds between two drains when nobody waits
 * @param cleanPercent a zone is cleaned when less of its bytes live, 0 (never) to 90
 * @param urgentPercent who writes to a zone of which less lives waits for that, 0 to {@code cleanPercent}
 */
public record LogConfig(int bufferBytes, int segmentBytes, int blockBytes, int primaryFileBytes, int primaryFiles,
                        int skipBytes, int manifestBytes, int openZones, long drainNs, int cleanPercent,
                        int urgentPercent) {
    /** What is right for most. */
    public static final LogConfig DEFAULT =
        new LogConfig(1 << 25, 1 << 23, 1 << 17, 1 << 26, 4, 1 << 17, 1 << 16, 1024, 100_000_000, 60, 40);

    private static final int PAGE = FileHead.BYTES;
    private static final int BUFFER_MIN = 1 << 14;
    private static final int BUFFER_MAX = 1 << 30;
    private static final int RECORDS_MIN = 4;
    private static final int CLEAN_PERCENT_MAX = 90;

    /** Refuses sizes that do not go together. */
    public LogConfig {
        check(bufferBytes >= BUFFER_MIN && bufferBytes <= BUFFER_MAX && Integer.bitCount(bufferBytes) == 1,
            "bufferBytes", bufferBytes);
        check(segmentBytes % PAGE == 0 && segmentBytes >= 2 * PAGE + blockBytesMax(bufferBytes), "segmentBytes",
            segmentBytes);
        check(blockBytes % PAGE == 0 && blockBytes > 0, "blockBytes", blockBytes);
        check(primaryFileBytes % PAGE == 0 && primaryFileBytes >= 2 * PAGE + bufferBytes / 2, "primaryFileBytes",
            primaryFileBytes);
        check(primaryFiles > 0, "primaryFiles", primaryFiles);
        check(skipBytes >= 0, "skipBytes", skipBytes);
        check(manifestBytes >= PAGE, "manifestBytes", manifestBytes);
        check(openZones > 0, "openZones", openZones);
        check(drainNs > 0, "drainNs", drainNs);
        check(cleanPercent >= 0 && cleanPercent <= CLEAN_PERCENT_MAX, "cleanPercent", cleanPercent);
        check(urgentPercent >= 0 && urgentPercent <= cleanPercent, "urgentPercent", urgentPercent);
    }

    /** Bytes of a block with the longest entry that there can be. */
    private static int blockBytesMax(int bufferBytes) {
        return SegmentWriter.bufferBytes(Math.min(bufferBytes / RECORDS_MIN,
            ChainLink.HEAD_BYTES + ChainLink.PIECE_BYTES));
    }

    private static void check(boolean isRight, String name, long value) {
        if (!isRight) {
            throw new IllegalArgumentException(name + "=" + value + " is out of range, or does not go with the others");
        }
    }

    /** The same with segments of another size. */
    public LogConfig withSegmentBytes(int bytes) {
        return new LogConfig(bufferBytes, bytes, blockBytes, primaryFileBytes, primaryFiles, skipBytes, manifestBytes,
            openZones, drainNs, cleanPercent, urgentPercent);
    }

    /** Most bytes of a frame. */
    public int frameBytes() {
        return bufferBytes / 2 + PAGE;
    }
}
