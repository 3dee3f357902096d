package io.teff.test.bench.store;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;

/** Teff's sorted map of numbers; puts and removals without reading the old value, fast ranges without objects. */
final class TeffSortedStore extends SortedMapStore {
    private final ChunkSortedLongMap<byte[]> map;

    TeffSortedStore(Store store) {
        this(store, store.sortedLongMap("bench", Codecs.BYTES));
    }

    private TeffSortedStore(Store store, ChunkSortedLongMap<byte[]> map) {
        super(map, false, store::close);
        this.map = map;
    }

    @Override
    void keep(long key, byte[] value) {
        map.set(key, value);
    }

    @Override
    public long sumOfRangeFast(long from, long to) {
        long[] sum = {0};
        map.forEachBytes(from, to - 1, (key, bytes, offset, length) -> sum[0] += (long) LONG.get(bytes, offset));
        return sum[0];
    }

    @Override
    public boolean remove(long name) {
        return map.delete(name);
    }
}
