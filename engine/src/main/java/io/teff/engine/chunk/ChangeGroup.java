package io.teff.engine.chunk;

import io.teff.engine.lock.Stripes;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongConsumer;

/** CIDs of what a thread has changed, and how long they are. For one thread. */
final class ChangeGroup {
    /** Length of a chunk that is recorded already. */
    static final long TOLD = -1;
    private static final int CAPACITY_MIN = 16;
    private static final int CAPACITY_KEPT = 1 << 12;

    private long[] cids = new long[CAPACITY_MIN];
    private long[] lengths = new long[CAPACITY_MIN];
    private int[] stripes = new int[CAPACITY_MIN];
    private int count;
    private boolean isOpen;
    /** Numbers of when chunks were removed. */
    private final Map<Long, Long> gone = new HashMap<>();

    void addGone(long cid, long number) {
        add(cid);
        gone.put(cid, number);
    }

    /** Shows the CIDs of what was removed. */
    void forEachGone(LongConsumer visitor) {
        gone.keySet().forEach(visitor::accept);
    }

    long goneAt(long cid) {
        return gone.getOrDefault(cid, 0L);
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

    /** Whether more belongs to the group. */
    boolean isOpen() {
        return isOpen;
    }

    void setOpen(boolean nowOpen) {
        isOpen = nowOpen;
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Sorts the CIDs and keeps one of each; how many there are. */
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

    /** Takes note of a length; the bytes that it takes in a record. */
    long length(int index, long length) {
        lengths[index] = length;
        return Math.max(length, 0);
    }

    long length(int index) {
        return lengths[index];
    }

    /** How many of a part are not told yet. */
    int untold(int from, int end) {
        int untold = 0;
        for (int i = from; i < end; i++) {
            untold += lengths[i] == TOLD ? 0 : 1;
        }
        return untold;
    }

    /** Finds the stripes of a part, each once and in their order; how many there are. */
    int findStripes(int from, int end, Stripes of) {
        if (stripes.length < end - from) {
            stripes = new int[cids.length];
        }
        for (int i = from; i < end; i++) {
            stripes[i - from] = of.of(cids[i]);
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

    /** A stripe that was found. */
    int stripe(int index) {
        return stripes[index];
    }

    void clear() {
        count = 0;
        gone.clear();
        if (cids.length > CAPACITY_KEPT) {
            cids = new long[CAPACITY_MIN];
            lengths = new long[CAPACITY_MIN];
            stripes = new int[CAPACITY_MIN];
        }
    }
}
