package io.teff.test.bench.store;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Eclipse Collections' map from primitive keys to arrays on the heap; for one thread. */
final class EclipseStore extends ArrayStore {
    private final LongObjectHashMap<byte[]> map = new LongObjectHashMap<>();

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
