package io.teff.cluster.client;

import io.teff.cluster.operation.MapMode;
import io.teff.engine.collect.MapLoader;
import java.util.Objects;

/** Puts entries into a map of a cluster, in batches. For one thread. */
final class RemoteLoader<K, V> implements MapLoader<K, V> {
    private final RemoteMap<K, V> map;
    private final MapChanges changes;
    private boolean isClosed;

    RemoteLoader(RemoteMap<K, V> map, long expectedEntries) {
        if (expectedEntries < 0) {
            throw new IllegalArgumentException("expectedEntries=" + expectedEntries);
        }
        map.check();
        this.map = map;
        changes = new MapChanges(map.partitions(), MapMode.SET, MapChanges.Outcomes.NONE);
    }

    @Override
    public void add(K key, V value) {
        addBytes(map.keyBytes(Objects.requireNonNull(key)), map.valueBytes(value));
    }

    /** Adds an entry of bytes. */
    void addBytes(byte[] key, byte[] value) {
        if (isClosed) {
            throw new IllegalStateException("the loader is closed");
        }
        changes.add(key, null, value);
    }

    @Override
    public void flush() {
        changes.flush();
    }

    @Override
    public void close() {
        if (!isClosed) {
            flush();
            isClosed = true;
        }
    }
}
