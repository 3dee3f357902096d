package io.teff.engine.chunk;

import io.teff.engine.journal.Journal;
import io.teff.engine.lock.Stripes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The chunks that a thread has changed since its last group: their CIDs and, while the group is written, their lengths
 * and stripes. For one thread.
 */
final class ChangeGroup {
    /** Marks a chunk whose change is already written, in place of its length. */
    static final long WRITTEN = -1;
    private static final int CAPACITY_MIN = 16;
    private static final int CAPACITY_KEPT = 1 << 12;

    private long[] cids = new long[CAPACITY_MIN];
    private long[] lengths = new long[CAPACITY_MIN];
    private int[] stripes = new int[CAPACITY_MIN];
    private int count;
    private boolean isOpen;
    /** Records the groups of the thread in place of the store's journal, or null. */
    private @Nullable Journal journal;
    /** Numbers of the removals, from {@code Journal.now}, by CID of the removed chunk. */
    private final Map<Long, Long> removals = new HashMap<>();

    void addRemoval(long cid, long number) {
        add(cid);
        removals.put(cid, number);
    }

    /** Calls the visitor with the CID of each removed chunk. */
    void forEachRemoved(LongConsumer visitor) {
        removals.keySet().forEach(visitor::accept);
    }

    /** Returns the number of a chunk's removal, or 0 if the group does not remove it. */
    long removedAt(long cid) {
        return removals.getOrDefault(cid, 0L);
    }

    void add(long cid) {
        if (count == cids.length) {
            cids = Arrays.copyOf(cids, 2 * count);
            lengths = new long[2 * count];
        }
        if (count == 0 || cids[count - 1] != cid) {
            cids[count++] = cid;
        }
    }

    @Nullable Journal journal() {
        return journal;
    }

    void journal(@Nullable Journal other) {
        journal = other;
    }

    /** Returns whether the group must not be ended yet. */
    boolean isOpen() {
        return isOpen;
    }

    void setOpen(boolean nowOpen) {
        isOpen = nowOpen;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Sorts the CIDs and drops duplicates; returns the number of CIDs left. */
    int sort() {
        Arrays.sort(cids, 0, count);
        int kept = 1;
        for (int i = 1; i < count; i++) {
            if (cids[i] != cids[kept - 1]) {
                cids[kept++] = cids[i];
            }
        }
        count = kept;
        return kept;
    }

    long cid(int index) {
        return cids[index];
    }

    /** Stores the length of a chunk; returns the bytes of content that it takes in a record. */
    long length(int index, long length) {
        lengths[index] = length;
        return Math.max(length, 0);
    }

    long length(int index) {
        return lengths[index];
    }

    /** Returns the number of chunks in an index range that are not written yet. */
    int unwrittenCount(int from, int end) {
        int unwritten = 0;
        for (int i = from; i < end; i++) {
            unwritten += lengths[i] == WRITTEN ? 0 : 1;
        }
        return unwritten;
    }

    /** Collects the stripes of an index range, in ascending order without duplicates; returns their number. */
    int collectStripes(int from, int end, Stripes all) {
        if (stripes.length < end - from) {
            stripes = new int[cids.length];
        }
        for (int i = from; i < end; i++) {
            stripes[i - from] = all.of(cids[i]);
        }
        Arrays.sort(stripes, 0, end - from);
        int kept = 1;
        for (int i = 1; i < end - from; i++) {
            if (stripes[i] != stripes[kept - 1]) {
                stripes[kept++] = stripes[i];
            }
        }
        return kept;
    }

    /** Returns a stripe that {@link #collectStripes} found. */
    int stripe(int index) {
        return stripes[index];
    }

    void clear() {
        count = 0;
        removals.clear();
        if (cids.length > CAPACITY_KEPT) {
            cids = new long[CAPACITY_MIN];
            lengths = new long[CAPACITY_MIN];
            stripes = new int[CAPACITY_MIN];
        }
    }
}
