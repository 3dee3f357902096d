package io.teff.recovery.clean;

import io.teff.engine.Cid;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The highest number of each index of a zone. A zone has 2^20 indexes; 8 bytes each, in parts of 8 KiB that are made
 * when they are needed. CIDs of other creators than the zone's owner cost some 80 bytes. Not thread-safe.
 */
public final class Newest {
    /** No number. Those of changes are above it. */
    public static final long NONE = 0;

    static final int PART_INDEXES = 1 << 10;
    private static final int ZONE_SHIFT = 20;
    private static final int PARTS = 1 << ZONE_SHIFT - 10;

    private final int owner;
    private final int zone;
    private final @Nullable long[][] parts = new long[PARTS][];
    private final Map<Long, Long> others = new HashMap<>();

    /**
     * Begins without any.
     *
     * @param owner of the zone
     * @param zone its number
     */
    public Newest(int owner, int zone) {
        this.owner = owner;
        this.zone = zone;
    }

    /** Place of a CID in the zone, or -1 if it is none of the zone's own. */
    int place(long cid) {
        return Cid.nid(cid) == owner && Cid.index(cid) >>> ZONE_SHIFT == zone
            ? (int) Cid.index(cid) & (1 << ZONE_SHIFT) - 1 : -1;
    }

    /**
     * What all CIDs of an index have in common.
     *
     * @param cid any of them
     * @return the CID without its generation
     */
    public static long other(long cid) {
        return Cid.of(Cid.nid(cid), Cid.index(cid));
    }

    /**
     * The highest number that was seen of an index.
     *
     * @param cid any of its CIDs
     * @return the number, or {@link #NONE}
     */
    public long of(long cid) {
        int place = place(cid);
        if (place < 0) {
            return others.getOrDefault(other(cid), NONE);
        }
        long[] part = parts[place / PART_INDEXES];
        return part == null ? NONE : part[place % PART_INDEXES];
    }

    /**
     * Sees an entry.
     *
     * @param cid its CID
     * @param sequence its number, above {@link #NONE}
     * @return the number that was the highest one before, if it is lower; else {@code sequence} or a higher one, and
     *     nothing has changed
     */
    public long see(long cid, long sequence) {
        long before = of(cid);
        if (before < sequence) {
            int place = place(cid);
            if (place < 0) {
                others.put(other(cid), sequence);
            } else {
                part(place)[place % PART_INDEXES] = sequence;
            }
        }
        return before;
    }

    private long[] part(int place) {
        long[] part = parts[place / PART_INDEXES];
        if (part == null) {
            part = new long[PART_INDEXES];
            parts[place / PART_INDEXES] = part;
        }
        return part;
    }
}
