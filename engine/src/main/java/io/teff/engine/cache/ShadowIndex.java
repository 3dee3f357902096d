package io.teff.engine.cache;

/** Finds the slots of hashes in an array of hashes: linear probing, half full at most. Not thread-safe. */
final class ShadowIndex {
    private final long[] hashes;
    /** Slot plus one, or 0. */
    private final int[] cells;
    private final int mask;

    ShadowIndex(long[] hashes) {
        this.hashes = hashes;
        cells = new int[Integer.highestOneBit(hashes.length) << 2];
        mask = cells.length - 1;
    }

    private int home(long hash) {
        return (int) (Spread.of(hash) >>> Integer.SIZE) & mask;
    }

    /** Returns the slot of a hash, or -1. */
    int find(long hash) {
        for (int at = home(hash); cells[at] != 0; at = at + 1 & mask) {
            if (hashes[cells[at] - 1] == hash) {
                return cells[at] - 1;
            }
        }
        return -1;
    }

    /** Adds a slot whose hash is absent. */
    void add(int slot) {
        int at = home(hashes[slot]);
        while (cells[at] != 0) {
            at = at + 1 & mask;
        }
        cells[at] = slot + 1;
    }

    /** Removes a slot, and moves later cells of its run up. */
    void remove(int slot) {
        int hole = home(hashes[slot]);
        while (cells[hole] != slot + 1) {
            hole = hole + 1 & mask;
        }
        cells[hole] = 0;
        for (int at = hole + 1 & mask; cells[at] != 0; at = at + 1 & mask) {
            int home = home(hashes[cells[at] - 1]);
            if ((at - home & mask) >= (at - hole & mask)) {
                cells[hole] = cells[at];
                cells[at] = 0;
                hole = at;
            }
        }
    }

    long bytes() {
        return (long) cells.length * Integer.BYTES;
    }
}
