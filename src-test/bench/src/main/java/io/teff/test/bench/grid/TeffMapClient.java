package io.teff.test.bench.grid;

import io.teff.cluster.ClusterStore;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ValueChange;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Map;
import java.util.Set;

/** A map of a Teff cluster. */
final class TeffMapClient extends MapClient {
    private static final ValueChange<Object> RAISE = ValueChange.add(1).toLong(GridValues.NUMBER_AT);

    private final ClusterStore store;
    private final ChunkMap<Long, byte[]> map;
    private final ChunkQueue<byte[]> queue;

    TeffMapClient(ClusterStore store) {
        this.store = store;
        map = store.map("grid", Long.class, byte[].class);
        queue = store.queue("grid queue", byte[].class);
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
        return ByteBuffer.wrap(map.apply((long) key, RAISE)).order(ByteOrder.LITTLE_ENDIAN)
            .getLong(GridValues.NUMBER_AT);
    }

    @Override
    public boolean offerAndPoll(byte[] element) {
        queue.add(element);
        return queue.poll() != null;
    }

    @Override
    public long scan() {
        long count = 0;
        for (Map.Entry<Long, byte[]> entry : map.entrySet()) {
            count += GridValues.isOf(entry.getKey().intValue(), entry.getValue()) ? 1 : 0;
        }
        return count;
    }

    @Override
    public void close() {
        store.close();
    }
}
