package io.teff.test.bench.store;

import java.util.Map;

/** Any {@code Map} from boxed keys to arrays on the heap. A put brings a fresh array, because the map keeps it. */
final class MapStore implements KeyedStore {
    private final Map<Long, byte[]> map;

    MapStore(Map<Long, byte[]> map) {
        this.map = map;
    }

    @Override
    public long create(long key, byte[] value) {
        map.put(key, value.clone());
        return key;
    }

    @Override
    public int get(long key, byte[] target) {
        byte[] value = map.get(key);
        if (value == null) {
            return -1;
        }
        System.arraycopy(value, 0, target, 0, value.length);
        return value.length;
    }

    @Override
    public void put(long key, byte[] value) {
        map.put(key, value.clone());
    }

    @Override
    public long readLong(long key) {
        byte[] value = map.get(key);
        return value == null ? -1 : (long) LONG.get(value, 0);
    }

    @Override
    public boolean remove(long key) {
        return map.remove(key) != null;
    }

    @Override
    public long sum() {
        long sum = 0;
        for (byte[] value : map.values()) {
            sum += (long) LONG.get(value, 0);
        }
        return sum;
    }

    @Override
    public void close() {
        map.clear();
    }
}
