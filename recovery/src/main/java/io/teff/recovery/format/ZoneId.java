package io.teff.recovery.format;

import io.teff.engine.Cid;
import java.util.Comparator;

/**
 * Names a zone.
 *
 * @param owner NID of the store that owns the chunks, 0 to {@link Cid#NID_MAX}
 * @param zone of the owner, unsigned
 */
public record ZoneId(int owner, int zone) implements Comparable<ZoneId> {
    private static final Comparator<ZoneId> ORDER =
        Comparator.comparingInt(ZoneId::owner).thenComparing(ZoneId::zone, Integer::compareUnsigned);

    /** Rejects values that no file can name. */
    public ZoneId {
        if (!isOwner(owner)) {
            throw new IllegalArgumentException("owner=" + owner + " is not in 0 to " + Cid.NID_MAX);
        }
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
        return owner + ":" + Integer.toUnsignedString(zone);
    }
}
