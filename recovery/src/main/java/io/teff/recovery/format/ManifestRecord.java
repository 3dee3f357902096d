package io.teff.recovery.format;

import java.util.List;
import java.util.UUID;

/** A record of a manifest; {@link ManifestState#apply} defines its effect. */
public sealed interface ManifestRecord {
    /**
     * The first record: identity of the log.
     *
     * @param logId of the log
     * @param salt of the log
     * @param segmentBytes limit of the bytes of a segment
     * @param nid of the store or peer that owns the log
     * @param version of the manifest: {@link FileHead#VERSION_OF_BYTES}, {@link FileHead#VERSION} for an earlier
     *     one, or {@link FileHead#VERSION_OF_COPIES} for a backup
     */
    record Log(long logId, long salt, int segmentBytes, int nid, int version) implements ManifestRecord {
        /**
         * The identity of a store's log.
         *
         * @param logId of the log
         * @param salt of the log
         * @param segmentBytes limit of the bytes of a segment
         * @param nid of the store
         */
        public Log(long logId, long salt, int segmentBytes, int nid) {
            this(logId, salt, segmentBytes, nid, FileHead.VERSION_OF_BYTES);
        }

        /** {@return the identity in a manifest that is written now: of a store's log, of this version} */
        public Log now() {
            return hasCopies() ? this : new Log(logId, salt, segmentBytes, nid);
        }

        /** {@return whether it is the log of a backup, which has copies of zones} */
        public boolean hasCopies() {
            return version == FileHead.VERSION_OF_COPIES;
        }
    }

    /**
     * Ends the records of the state at the begin of this manifest.
     *
     * @param recordCount number of records before this one
     * @param nextSegment a number that no segment has ever had
     */
    record Begun(int recordCount, long nextSegment) implements ManifestRecord {}

    /**
     * A zone was created.
     *
     * @param zone name of the zone
     */
    record ZoneMade(ZoneId zone) implements ManifestRecord {}

    /**
     * A zone was dropped with all of its segments.
     *
     * @param zone name of the zone
     */
    record ZoneDropped(ZoneId zone) implements ManifestRecord {}

    /**
     * All zones of a copy, and of earlier copies of the same creator, were dropped with their segments; none of these
     * is made again.
     *
     * @param owner the creator
     * @param copy number of the copy
     */
    record CopyDropped(int owner, int copy) implements ManifestRecord {}

    /**
     * A segment was created, and is being written.
     *
     * @param id of the segment
     */
    record SegmentMade(SegmentId id) implements ManifestRecord {}

    /**
     * A segment was sealed, and never changes again.
     *
     * @param id of the segment
     */
    record SegmentSealed(SegmentId id) implements ManifestRecord {}

    /**
     * Cleaning has replaced segments by new, sealed ones.
     *
     * @param zone name of the zone
     * @param made numbers of the new segments, at most {@link #COUNT_MAX}
     * @param gone numbers of the replaced segments, at most {@link #COUNT_MAX}
     */
    record SegmentsReplaced(ZoneId zone, List<Long> made, List<Long> gone) implements ManifestRecord {
        /** Limit of the length of a list: 16 bits count it. */
        public static final int COUNT_MAX = 0xFFFF;

        /** Keeps copies. */
        public SegmentsReplaced {
            made = List.copyOf(made);
            gone = List.copyOf(gone);
        }
    }

    /**
     * Frames with lower numbers are in segments.
     *
     * @param firstFrame number of the first frame that counts
     */
    record Trimmed(long firstFrame) implements ManifestRecord {}

    /**
     * A file of the primary log has begun to be used, and its first frame is synced.
     *
     * @param file number of the file
     * @param firstFrame number of that frame
     */
    record FrameFile(long file, long firstFrame) implements ManifestRecord {}

    /**
     * The log was opened: from here on the ring counts.
     *
     * @param boot of the machine, or {@link #NO_BOOT}
     */
    record Opened(UUID boot) implements ManifestRecord {
        /** A boot without an id, not equal to any boot. */
        public static final UUID NO_BOOT = new UUID(0, 0);
    }

    /**
     * The process left the log open, and its whole ring is on the device: the ring counts, even behind holes, in any
     * boot.
     */
    record RingSynced() implements ManifestRecord {}

    /**
     * The log was closed: everything is in segments.
     *
     * @param position next position in the ring
     * @param sequence number of the next change
     */
    record Closed(long position, long sequence) implements ManifestRecord {}
}
