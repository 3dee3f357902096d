package io.teff.test.bench.store;

import io.teff.engine.Store;
import io.teff.engine.StoreConfig;
import io.teff.engine.codec.Codecs;
import io.teff.engine.collect.ChunkLongMap;

/** Teff's hash map with numbers as keys, by its forms without boxes. */
final class TeffMapStore implements KeyedStore {
    private final Store store;
    private final ChunkLongMap<byte[]> map;

    TeffMapStore(long memoryBytes) {
        store = Store.open(StoreConfig.builder().memoryLimitBytes(memoryBytes).build());
        map = store.longMap("bench", Codecs.BYTES);
    }

    @Override
    public long create(long key, byte[] value) {
        put(key, value);
        return key;
    }

    @Override
    public int get(long name, byte[] target) {
        return map.getBytes(name, target, 0);
    }

    @Override
    public void put(long name, byte[] value) {
        map.setBytes(name, value, 0, value.length);
    }

    @Override
    public long readLong(long name) {
        return map.getLong(name, 0, -1);
    }

    @Override
    public boolean remove(long name) {
        return map.delete(name);
    }

    @Override
    public long sum() {
        long[] sum = {0};
        map.forEachEntry((key, value) -> sum[0] += (long) LONG.get(value, 0));
        return sum[0];
    }

    @Override
    public void close() {
        store.close();
    }
}
