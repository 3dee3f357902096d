package io.teff.engine.hash;

import io.teff.engine.collect.ChunkLongMap;

/** A hash map whose first bucket is split and merged on demand, and a key that moves with each split and merge. */
public final class SplitTable {
    private static final int LENGTH = 16;

    private final LinearHash table;
    private final long key;
    private boolean split;

    /**
     * Adds a few entries to a map.
     *
     * @param map an empty map
     */
    public SplitTable(ChunkLongMap<byte[]> map) {
        table = ((ChunkHashMap<?, ?>) (Object) map).table;
        long moving = 0;
        for (long candidate = 0; moving == 0 || candidate < 2000; candidate++) {
            map.setBytes(candidate, new byte[LENGTH], 0, LENGTH);
            long hash = Hash.of(table.seed, candidate);
            if ((hash & 2L * LinearHash.BUCKETS_MIN - 1) == LinearHash.BUCKETS_MIN) {
                moving = candidate;
            }
        }
        key = moving;
    }

    /** Splits the first bucket, or merges its halves again. */
    public synchronized void toggle() {
        split = !split;
        table.growth().once(split);
    }

    /** {@return whether the key is found} */
    public boolean isFound() {
        return table.get(Hash.of(table.seed, key), key, null, Long.BYTES, null, 0) >= 0;
    }

    /** {@return whether a reader finds the key that relies on the number of buckets without checking the level} */
    public boolean isFoundWithoutLevel() {
        long hash = Hash.of(table.seed, key);
        BucketBytes copy = new BucketBytes();
        if (table.copyChunk(table.index.cidOf(LinearHash.bucketOf(hash, table.index.count())), copy) < 0) {
            return false;
        }
        for (int i = 0; i < copy.count(); i++) {
            if (table.keys.hash(copy.bytes(), copy.from(i), table.seed) == hash) {
                return true;
            }
        }
        return false;
    }
}
