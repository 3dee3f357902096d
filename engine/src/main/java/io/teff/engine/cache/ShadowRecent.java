package io.teff.engine.cache;

/** A small cache of hashes that evicts the hash that was used longest ago. Not thread-safe. */
final class ShadowRecent {
    private static final int LINKS = 2;

    private final long[] hashes;
    private final ShadowIndex index;
    /** Slots in the order of their uses, as a ring. */
    private final int[] before;
    private final int[] behind;
    private int count;
    private int oldest;

    ShadowRecent(int capacity) {
        hashes = new long[capacity];
        index = new ShadowIndex(hashes);
        before = new int[capacity];
        behind = new int[capacity];
    }

    /** Uses a hash, and adds it if it is absent; returns whether it was there. */
    boolean use(long hash) {
        int slot = index.find(hash);
        if (slot >= 0) {
            if (slot == oldest) {
                oldest = behind[slot];                          // the ring turns: the oldest is the youngest now
            } else {
                unlink(slot);
                link(slot);
            }
            return true;
        }
        if (count < hashes.length) {
            slot = count++;
            hashes[slot] = hash;
            link(slot);
        } else {
            slot = oldest;
            index.remove(slot);
            hashes[slot] = hash;
            oldest = behind[slot];
        }
        index.add(slot);
        return false;
    }

    private void unlink(int slot) {
        behind[before[slot]] = behind[slot];
        before[behind[slot]] = before[slot];
    }

    /** Links a slot as the youngest: in front of the oldest in the ring. */
    private void link(int slot) {
        if (count == 1) {
            oldest = slot;
        }
        int youngest = count == 1 ? slot : before[oldest];
        before[slot] = youngest;
        behind[slot] = oldest;
        behind[youngest] = slot;
        before[oldest] = slot;
    }

    long bytes() {
        return index.bytes() + (long) hashes.length * (Long.BYTES + LINKS * Integer.BYTES);
    }
}
