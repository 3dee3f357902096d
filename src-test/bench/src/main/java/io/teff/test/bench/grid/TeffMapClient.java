package io.teff.test.bench.grid;

import io.teff.cluster.ClusterStore;
import io.teff.engine.collect.ChunkMap;
import java.util.Map;
import java.util.Set;

/** A map of a Teff cluster. */
final class TeffMapClient extends MapClient {
    private final ClusterStore store;
    private final ChunkMap<Long, byte[]> map;

    TeffMapClient(ClusterStore store) {
        this.store = store;
        map = store.map("grid", Long.class, byte[].class);
    }

    @Override
    void setAll(Map<Long, byte[]> entries) {
        map.putAll(entries);
    }

    @Override
    Map<Long, byte[]> allOf(Set<Long> keys) {
        return map.getAll(keys);
    }

    @Override
    public byte[] get(int key) {
        return map.get((long) key);
    }

    @Override
    public void put(int key, byte[] value) {
        map.set((long) key, value);
    }

    @Override
    public long add(int key) {
        return GridValues.number(map.computeIfPresent((long) key, (_, value) -> GridValues.raised(value)));
    }

    @Override
    public void close() {
        store.close();
    }
}
