package io.teff.recovery.log.file;

import io.teff.recovery.format.ChainLink;
import io.teff.recovery.format.FileHead;
import io.teff.recovery.format.SegmentWriter;

/**
 * Sizes of a log. All sizes may differ between openings, except the size of segments. The size of segments is fixed
 * when the log is created.
 *
 * @param bufferBytes of the ring, a power of two from 2^14 to 2^30
 * @param segmentBytes limit of the bytes of a segment, a multiple of 4,096: must hold an entry of a quarter of the
 *     ring, or, if shorter, an entry of 1 MiB with its head
 * @param blockBytes limit of the bytes of a zone's buffer, 4,096 times a power of two
 * @param primaryFileBytes of a file of the primary log, a multiple of 4,096: half of the ring must fit
 * @param primaryFiles number of files to fill before the oldest file is trimmed, at least 1
 * @param skipBytes a zone with at least this in a round skips the primary log; 0: every zone that can; 2^31 - 1: none
 * @param manifestBytes length from which on a manifest is rewritten, at least 4,096
 * @param openZones limit of the zones with a buffer, and of the zones with a file; at least 1. All buffers together
 *     have 8 KiB for each such zone, or a block if a block is longer
 * @param drainNs nanoseconds between two drains while no thread waits
 * @param cleanPercent a zone with a smaller share of live bytes is cleaned, 0 (never) to 90
 * @param urgentPercent writers to a zone with a smaller share wait for its cleaning, 0 to {@code cleanPercent}
 * @param hasReserve whether room is kept for a full disk, see {@link DiskReserve}
 */
public record LogConfig(int bufferBytes, int segmentBytes, int blockBytes, int primaryFileBytes, int primaryFiles,
                        int skipBytes, int manifestBytes, int openZones, long drainNs, int cleanPercent,
                        int urgentPercent, boolean hasReserve) {
    /** Defaults that suit most users. */
    public static final LogConfig DEFAULT =
        new LogConfig(1 << 25, 1 << 23, 1 << 17, 1 << 25, 8, 1 << 17, 1 << 16, 1024, 100_000_000, 60, 40, true);

    private static final int PAGE = FileHead.BYTES;
    private static final int BUFFER_MIN = 1 << 14;
    /** Largest write buffer in bytes. */
    public static final int BUFFER_MAX = 1 << 30;
    private static final int RECORDS_MIN = 4;
    /** Share of a zone in the buffers, if as many are open as may be. */
    private static final int BYTES_PER_ZONE = 2 * PAGE;
    /** Average number of pages of a segment beside its entries: head, end, and the rest of its last block. */
    private static final int PAGES_PER_SEGMENT = 3;
    /** Number of segments that a disk must have room for: open segments, and the segments written by a cleaning. */
    private static final int SEGMENTS_MIN = 4;
    /** Largest share of live bytes that cleaning keeps. */
    public static final int CLEAN_PERCENT_MAX = 90;

    /** Rejects contradictory sizes. */
    public LogConfig {
        check(bufferBytes >= BUFFER_MIN && bufferBytes <= BUFFER_MAX && Integer.bitCount(bufferBytes) == 1,
            "bufferBytes", bufferBytes, "a power of two from " + BUFFER_MIN + " to " + BUFFER_MAX + " bytes");
        check(segmentBytes % PAGE == 0 && segmentBytes >= 2 * PAGE + blockBytesMax(bufferBytes), "segmentBytes",
            segmentBytes, "a multiple of " + PAGE + " from " + (2 * PAGE + blockBytesMax(bufferBytes))
                + " bytes, as a block with the longest entry of the write buffer must fit");
        check(blockBytes >= PAGE && Integer.bitCount(blockBytes) == 1, "blockBytes", blockBytes,
            "a power of two from " + PAGE + " bytes on");
        check(primaryFileBytes % PAGE == 0 && primaryFileBytes >= 2 * PAGE + bufferBytes / 2, "primaryFileBytes",
            primaryFileBytes, "a multiple of " + PAGE + " from " + (2 * PAGE + bufferBytes / 2) + " bytes");
        check(primaryFiles > 0, "primaryFiles", primaryFiles, "at least 1");
        check(skipBytes >= 0, "skipBytes", skipBytes, "at least 0 bytes");
        check(manifestBytes >= PAGE, "manifestBytes", manifestBytes, "at least " + PAGE + " bytes");
        check(openZones > 0, "openZones", openZones, "at least 1");
        check(drainNs > 0, "drainNs", drainNs, "at least 1 nanosecond");
        check(cleanPercent >= 0 && cleanPercent <= CLEAN_PERCENT_MAX, "cleanPercent", cleanPercent,
            "0 to " + CLEAN_PERCENT_MAX + " percent");
        check(urgentPercent >= 0 && urgentPercent <= cleanPercent, "urgentPercent", urgentPercent,
            "0 to cleanPercent=" + cleanPercent + " percent");
    }

    /** Sizes of a log that keeps no room for a full disk. */
    public LogConfig(int bufferBytes, int segmentBytes, int blockBytes, int primaryFileBytes, int primaryFiles,
                     int skipBytes, int manifestBytes, int openZones, long drainNs, int cleanPercent,
                     int urgentPercent) {
        this(bufferBytes, segmentBytes, blockBytes, primaryFileBytes, primaryFiles, skipBytes, manifestBytes,
            openZones, drainNs, cleanPercent, urgentPercent, false);
    }

    /** Returns the bytes of a block with the longest possible entry. */
    private static int blockBytesMax(int bufferBytes) {
        return SegmentWriter.bufferBytes(Math.min(bufferBytes / RECORDS_MIN,
            ChainLink.HEAD_BYTES + ChainLink.PIECE_BYTES));
    }

    /** {@return the bytes of a block with the longest entry} */
    public int blockBytesMax() {
        return blockBytesMax(bufferBytes);
    }

    /** {@return the limit of the blocks that the buffers of all zones share} */
    public int blocksMax() {
        final long bytes = (long) openZones * Math.min(blockBytes, BYTES_PER_ZONE);
        return Math.toIntExact((bytes + blockBytes - 1) / blockBytes);
    }

    private static void check(boolean isRight, String name, long value, String wanted) {
        if (!isRight) {
            throw new IllegalArgumentException(name + "=" + value + " is not " + wanted);
        }
    }

    /** {@return the same sizes with segments of another size} */
    public LogConfig withSegmentBytes(int bytes) {
        return new LogConfig(bufferBytes, bytes, blockBytes, primaryFileBytes, primaryFiles, skipBytes, manifestBytes,
            openZones, drainNs, cleanPercent, urgentPercent, hasReserve);
    }

    // ---- the reserve ----

    /** Returns the part of the ring that removals may fill while the reserve is not whole, in bytes. */
    public int removalBytes() {
        return bufferBytes / RECORDS_MIN;
    }

    /**
     * Returns an estimate of the bytes in full segments of a zone for some bytes of records, rather too high than too
     * low.
     */
    public long inSegments(long bytes) {
        final int others = PAGES_PER_SEGMENT * PAGE;
        return bytes + (bytes / Math.max(PAGE, segmentBytes - others) + 1) * others;
    }

    /**
     * Returns the part of the reserve that is kept for the opening after a kill on a full disk. A cleaning borrows this
     * part. The part is the bytes of a round of removals in the last frames and in the ring.
     *
     * @param zones number of zones
     * @return number of pieces of the length of a segment
     */
    public int reservePiecesKept(long zones) {
        return hasReserve ? pieces(keptBytes(zones)) : 0;
    }

    private long keptBytes(long zones) {
        return Math.max(2L * segmentBytes, inSegments(2L * removalBytes())) + 2 * zones * PAGES_PER_SEGMENT * PAGE;
    }

    /**
     * Returns the reserve: the contents of the ring and of the zones' buffers when the disk runs full, a file of
     * frames, a round of removals, and the part to keep.
     *
     * @param zones number of zones
     * @return number of pieces of the length of a segment
     */
    public int reservePieces(long zones) {
        final long buffers = Math.min(zones, openZones) * (blockBytes + (long) PAGES_PER_SEGMENT * PAGE);
        return hasReserve ? pieces(inSegments(bufferBytes + removalBytes()) + inSegments(primaryFileBytes) + buffers
            + keptBytes(zones)) : 0;
    }

    // ---- small disks ----

    /** Returns the maximum bytes of a log with a single zone beside its segments. */
    public long besideSegmentsBytes() {
        return filesBytes(primaryFiles + 1);
    }

    /**
     * Returns the bytes that a disk must have for a log to accept changes: write buffer, reserve, two files of frames,
     * and some segments. There are two files of frames because a file is filled while another file is moved to
     * segments.
     */
    public long roomBytesMin() {
        return filesBytes(2) + roomBytesSpare();
    }

    /** Returns the bytes of the segments that a disk must have room for. */
    public long roomBytesSpare() {
        return SEGMENTS_MIN * (long) segmentBytes;
    }

    /**
     * Returns the bytes that the opening of a log adds to the files of the log.
     *
     * @param isClosed whether the log was closed; otherwise its last changes are moved to segments first
     * @return bytes of the write buffer and of additions to the manifest, and in a log that was not closed of the
     *     segments for the contents of a write buffer and of all files of frames
     */
    public long bytesToOpen(boolean isClosed) {
        return PAGE + bufferBytes + manifestBytes
            + (isClosed ? 0 : inSegments(bufferBytes + (long) primaryFiles * primaryFileBytes));
    }

    private long filesBytes(int frameFiles) {
        return PAGE + bufferBytes + (long) frameFiles * primaryFileBytes + (long) reservePieces(1) * segmentBytes;
    }

    private int pieces(long bytes) {
        return Math.toIntExact((bytes + segmentBytes - 1) / segmentBytes);
    }

    /** Returns the limit of the bytes of a frame. */
    public int frameBytes() {
        return bufferBytes / 2 + PAGE;
    }
}
