package io.teff.recovery.format;

import io.teff.engine.Cid;
import java.util.Comparator;

/**
 * Names a zone of a log: a range of 2^20 CIDs of a creator, in a store or in a copy at a backup.
 * <pre>
 *  31                                   20 19                                   0
 * +---------------------------------------+--------------------------------------+
 * |                  0                    |              range (20)              |   of a store
 * +---------------------------------------+-------------------+------------------+
 * |                 copy + 256 (20)                           |    range (12)    |   of a copy on a backup
 * +-----------------------------------------------------------+------------------+
 *  31                                                       12 11               0
 * </pre>
 * So the number of a zone shows whether the zone belongs to a copy. Indexes in a copy are below 2^32.
 *
 * @param owner NID of the store that owns the chunks, or creator of the zone in a cluster; 0 to {@link Cid#NID_MAX}
 * @param zone of the owner, unsigned
 */
public record ZoneId(int owner, int zone) implements Comparable<ZoneId> {
    /** Copies have lower numbers than this. */
    public static final int COPY_LIMIT = (1 << 20) - (1 << 8);
    /** Numbers of the zones of a copy, and limit of their ranges. */
    public static final int RANGE_LIMIT = 1 << 12;

    private static final int INDEX_BITS = 20;
    private static final int RANGE_BITS = 12;
    private static final int COPY_OFFSET = 1 << 8;

    static {
        assert COPY_OFFSET << RANGE_BITS == 1 << INDEX_BITS
            && COPY_LIMIT + COPY_OFFSET == 1 << Integer.SIZE - RANGE_BITS : "copies must follow stores, up to the last";
    }

    private static final Comparator<ZoneId> ORDER =
        Comparator.comparingInt(ZoneId::owner).thenComparing(ZoneId::zone, Integer::compareUnsigned);

    /** Rejects values that no file can name. */
    public ZoneId {
        if (!isOwner(owner)) {
            throw new IllegalArgumentException("owner=" + owner + " is not in 0 to " + Cid.NID_MAX);
        }
    }

    /**
     * Returns the zone of a copy that has a CID.
     *
     * @param copy number of the copy, below {@link #COPY_LIMIT}
     * @param cid any CID with an index below 2^32
     * @return number of the zone
     */
    public static int ofCopy(int copy, long cid) {
        return ofCopy(copy, (int) (Cid.index(cid) >>> INDEX_BITS));
    }

    /**
     * Returns a zone of a copy.
     *
     * @param copy number of the copy, below {@link #COPY_LIMIT}
     * @param range number of the range, below {@link #RANGE_LIMIT}
     * @return number of the zone
     */
    public static int ofCopy(int copy, int range) {
        assert copy >= 0 && copy < COPY_LIMIT : copy;
        assert range >= 0 && range < RANGE_LIMIT : range;
        return copy + COPY_OFFSET << RANGE_BITS | range;
    }

    /** {@return whether a number is that of a zone of a copy} */
    public static boolean isCopy(int zone) {
        return zone >>> INDEX_BITS != 0;
    }

    /** {@return the copy that a zone belongs to; meaningless unless {@link #isCopy}} */
    public static int copy(int zone) {
        return (zone >>> RANGE_BITS) - COPY_OFFSET;
    }

    /** {@return the first index of a zone} */
    public static long firstIndex(int zone) {
        return (isCopy(zone) ? zone & RANGE_LIMIT - 1L : zone) << INDEX_BITS;
    }

    static boolean isOwner(long owner) {
        return owner >= 0 && owner <= Cid.NID_MAX;
    }

    /**
     * Returns a segment of this zone.
     *
     * @param number of the segment
     * @return its name
     */
    public SegmentId segment(long number) {
        return new SegmentId(owner, zone, number);
    }

    @Override
    public int compareTo(ZoneId other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return isCopy(zone) ? owner + "." + copy(zone) + ":" + (zone & RANGE_LIMIT - 1) : owner + ":" + zone;
    }
}
