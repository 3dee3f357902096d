package io.teff.engine.cache;

/** A small cache of hashes that admits a hash only if it is used more often than the one to evict. Not thread-safe. */
final class ShadowFrequent {
    private static final int TRIED = 5;

    private final long[] hashes;
    private final ShadowIndex index;
    private final FrequencySketch frequency;
    private int count;
    private long draws;

    ShadowFrequent(int capacity, FrequencySketch frequency) {
        hashes = new long[capacity];
        index = new ShadowIndex(hashes);
        this.frequency = frequency;
    }

    /** Uses a hash, which may enter; returns whether it was there. */
    boolean use(long hash) {
        if (index.find(hash) >= 0) {
            return true;
        }
        if (count < hashes.length) {
            hashes[count] = hash;
            index.add(count++);
            return false;
        }
        int victim = 0;
        int least = Integer.MAX_VALUE;
        for (int i = 0; i < TRIED; i++) {
            int slot = (int) Math.unsignedMultiplyHigh(++draws * Spread.FIRST, hashes.length);
            int uses = frequency.count(hashes[slot]);
            if (uses < least) {
                least = uses;
                victim = slot;
            }
        }
        if (frequency.count(hash) > least + AccessPolicy.MARGIN) {
            index.remove(victim);
            hashes[victim] = hash;
            index.add(victim);
        }
        return false;
    }

    long bytes() {
        return index.bytes() + (long) hashes.length * Long.BYTES;
    }
}
