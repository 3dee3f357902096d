package io.teff.test.bench.store;

import java.util.Map;

/** Any {@code Map} from boxed keys to arrays on the heap. A put brings a fresh array, because the map keeps it. */
final class MapStore extends ArrayStore {
    private final Map<Long, byte[]> map;

    MapStore(Map<Long, byte[]> map) {
        this.map = map;
    }

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
