package io.teff.recovery.log.clean;

import io.teff.engine.Cid;
import java.util.HashMap;
import java.util.Map;

/**
 * The bytes of the newest entry of each index of a zone, and their sum. Takes 4 bytes per index; a chain of 2 GiB or
 * more, or a CID of another creator than the zone's owner, takes some 100 bytes. Not thread-safe.
 */
public final class LiveBytes {
    /** Marks a length in {@link #others}. */
    private static final int OTHER = -1;

    private final Newest newest;
    private final PlaceNumbers numbers = new PlaceNumbers();
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
        final int place = newest.place(cid);
        final boolean isOther = place < 0 || bytes > Integer.MAX_VALUE;
        long before = place < 0 ? OTHER : numbers.set(place, isOther ? OTHER : (int) bytes);
        if (before == OTHER || isOther) {
            before = replaceOther(Newest.other(cid), isOther ? bytes : 0, Math.max(before, 0));
        }
        sum += bytes - before;
        highestIndex = Math.max(highestIndex, Cid.index(cid));
    }

    /**
     * Adds an entry of bytes to the newest entry of an index, which stays.
     *
     * @param cid its CID
     * @param bytes of the new entry
     */
    public void add(long cid, long bytes) {
        final int place = newest.place(cid);
        final int known = place < 0 ? OTHER : numbers.get(place);
        replace(cid, bytes + (known == OTHER ? others.getOrDefault(Newest.other(cid), 0L) : known));
    }

    /**
     * Replaces an entry, if the length of the new or the former entry is in {@link #others}. Returns the bytes before.
     */
    private long replaceOther(long index, long bytes, long placedBefore) {
        final Long before = bytes > 0 ? others.put(index, bytes) : others.remove(index);
        return before == null ? placedBefore : before;
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
