package io.teff.test.bench.grid;

import io.teff.bridge.ycsb.MapDb;
import io.teff.bridge.ycsb.Records;
import java.util.Map;
import org.apache.ignite.client.ClientCache;
import org.apache.ignite.client.IgniteClient;
import org.jspecify.annotations.Nullable;

/** The binding of YCSB to a cache of Ignite, by the thin client. */
final class IgniteDb extends MapDb {
    private final ClientCache<String, byte[]> cache;

    IgniteDb(IgniteClient client) {
        cache = client.cache(IgniteGrid.CACHE);
    }

    @Override
    protected byte @Nullable [] get(String key) {
        return cache.get(key);
    }

    @Override
    protected void put(String key, byte[] record) {
        cache.put(key, record);
    }

    /** Reads and puts the record: the thin client compares values that are arrays by their identity. */
    @Override
    protected boolean change(String key, Map<String, byte[]> fields) {
        byte[] record = cache.get(key);
        if (record != null) {
            cache.put(key, Records.with(record, fields));
        }
        return record != null;
    }

    @Override
    protected void remove(String key) {
        cache.remove(key);
    }

    @Override
    protected @Nullable Iterable<byte[]> from(String first, int count) {
        return null;
    }
}
