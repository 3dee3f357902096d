package io.teff.test.bench.store;

import org.eclipse.collections.impl.map.mutable.primitive.LongObjectHashMap;

/** Eclipse Collections' map from primitive keys to arrays on the heap; for one thread. */
final class EclipseStore implements KeyedStore {
    private final LongObjectHashMap<byte[]> map = new LongObjectHashMap<>();

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
        long[] sum = {0};
        map.forEachValue(value -> sum[0] += (long) LONG.get(value, 0));
        return sum[0];
    }

    @Override
    public void close() {
        map.clear();
    }
}
