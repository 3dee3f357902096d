package io.teff.recovery.format;

import java.util.List;
import java.util.UUID;

/** What a manifest says, record by record; {@link ManifestState#apply} tells what follows from it. */
public sealed interface ManifestRecord {
    /**
     * The first record: which log this is.
     *
     * @param logId of the log
     * @param salt of the log
     * @param segmentBytes most bytes of a segment
     * @param nid of the store or peer whose log this is
     */
    record Log(long logId, long salt, int segmentBytes, int nid) implements ManifestRecord {}

    /**
     * Everything that counted when this manifest was begun is in front of this record.
     *
     * @param recordCount records in front
     * @param nextSegment a number that no segment has had
     */
    record Begun(int recordCount, long nextSegment) implements ManifestRecord {}

    /**
     * A zone is there.
     *
     * @param zone its name
     */
    record ZoneMade(ZoneId zone) implements ManifestRecord {}

    /**
     * A zone is gone with all of its segments.
     *
     * @param zone its name
     */
    record ZoneDropped(ZoneId zone) implements ManifestRecord {}

    /**
     * A segment is there, and is being written.
     *
     * @param id of the segment
     */
    record SegmentMade(SegmentId id) implements ManifestRecord {}

    /**
     * A segment has its end, and never changes again.
     *
     * @param id of the segment
     */
    record SegmentSealed(SegmentId id) implements ManifestRecord {}

    /**
     * Cleaning has put new segments, which are sealed, in place of old ones.
     *
     * @param zone whose segments they are
     * @param made numbers of the new ones, at most {@link #COUNT_MAX}
     * @param gone numbers of the old ones, at most {@link #COUNT_MAX}
     */
    record SegmentsReplaced(ZoneId zone, List<Long> made, List<Long> gone) implements ManifestRecord {
        /** Most segments of a list: 16 bits count them. */
        public static final int COUNT_MAX = 0xFFFF;

        /** Keeps copies. */
        public SegmentsReplaced {
            made = List.copyOf(made);
            gone = List.copyOf(gone);
        }
    }

    /**
     * Frames of lower numbers are in segments.
     *
     * @param firstFrame number of the first frame that counts
     */
    record Trimmed(long firstFrame) implements ManifestRecord {}

    /**
     * The log is open: from here on the ring counts.
     *
     * @param boot of the machine, or {@link #NO_BOOT}
     */
    record Opened(UUID boot) implements ManifestRecord {
        /** Stands for a boot that has no id, and is never the same as another. */
        public static final UUID NO_BOOT = new UUID(0, 0);
    }

    /** The log was left open by a process, and all of its ring is on the device: it counts over holes in any boot. */
    record RingSynced() implements ManifestRecord {}

    /**
     * The log is closed: everything is in segments.
     *
     * @param position of the ring that comes next
     * @param sequence number of the change that comes next
     */
    record Closed(long position, long sequence) implements ManifestRecord {}
}
