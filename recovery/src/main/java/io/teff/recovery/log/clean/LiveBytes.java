package io.teff.recovery.log.clean;

import io.teff.engine.Cid;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of the newest entry of each index of a zone, and their sum. Takes 4 bytes per index, in blocks of 4 KiB
 * allocated on first use; a chain of 2 GiB or more, or a CID of another creator than the zone's owner, takes some 100
 * bytes. Not thread-safe.
 */
public final class LiveBytes {
    /** Marks a length that is among the others. */
    private static final int OTHER = -1;

    private final Newest newest;
    private final int[] @Nullable [] parts = new int[Newest.PARTS][];
    private final Map<Long, Long> others = new HashMap<>();
    private long sum;
    private long highestIndex = -1;

    /**
     * Begins without entries.
     *
     * @param newest the newest entries, of the same zone
     */
    public LiveBytes(Newest newest) {
        this.newest = newest;
    }

    /**
     * Replaces the newest entry of an index.
     *
     * @param cid its CID
     * @param bytes of the new entry, or of all links of a chain
     */
    public void replace(long cid, long bytes) {
        final long index = Newest.other(cid);
        final int place = newest.place(cid);
        final long before = place < 0 ? OTHER : placed(place, bytes > Integer.MAX_VALUE ? OTHER : (int) bytes);
        final Long other = before == OTHER ? others.remove(index) : Long.valueOf(before);
        if (place < 0 || bytes > Integer.MAX_VALUE) {
            others.put(index, bytes);
        }
        sum += bytes - (other == null ? 0 : other);
        highestIndex = Math.max(highestIndex, Cid.index(cid));
    }

    private int placed(int place, int bytes) {
        int[] part = parts[place / Newest.PART_INDEXES];
        if (part == null) {
            part = new int[Newest.PART_INDEXES];
            parts[place / Newest.PART_INDEXES] = part;
        }
        final int before = part[place % Newest.PART_INDEXES];
        part[place % Newest.PART_INDEXES] = bytes;
        return before;
    }

    /** {@return bytes of all newest entries} */
    public long sum() {
        return sum;
    }

    /** {@return the highest index that has an entry, or -1} */
    public long highestIndex() {
        return highestIndex;
    }
}
