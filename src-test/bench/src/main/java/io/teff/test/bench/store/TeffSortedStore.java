package io.teff.test.bench.store;

import io.teff.engine.Store;
import io.teff.engine.codec.Codecs;
import io.teff.engine.collect.ChunkSortedMap;

/** Teff's sorted map; puts and removals by the forms that do not read the old value, fast ranges without iterator. */
final class TeffSortedStore extends SortedMapStore {
    private final ChunkSortedMap<Long, byte[]> map;

    TeffSortedStore(Store store) {
        this(store, store.sortedMap("bench", Codecs.LONG, Codecs.BYTES));
    }

    private TeffSortedStore(Store store, ChunkSortedMap<Long, byte[]> map) {
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
        map.subMap(from, to).forEach((key, value) -> sum[0] += first(value));
        return sum[0];
    }

    @Override
    public boolean remove(long name) {
        return map.delete(name);
    }
}
