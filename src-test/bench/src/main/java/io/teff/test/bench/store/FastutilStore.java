package io.teff.test.bench.store;

import it.unimi.dsi.fastutil.longs.Long2ObjectOpenHashMap;

/** fastutil's map from primitive keys to arrays on the heap; for one thread. */
final class FastutilStore extends ArrayStore {
    private final Long2ObjectOpenHashMap<byte[]> map = new Long2ObjectOpenHashMap<>();

    @Override
    byte[] find(long key) {
        return map.get(key);
    }

    @Override
    void keep(long key, byte[] value) {
        map.put(key, value.clone());
    }

    @Override
    public boolean remove(long name) {
        return map.remove(name) != null;
    }

    @Override
    public long sum() {
        return sum(map.values());
    }

    @Override
    public void close() {
        map.clear();
    }
}
