package io.teff.cluster.client;

import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.MapLoader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;

/** Puts entries into a map of a cluster, one by one. For one thread. */
final class RemoteLoader<K, V> implements MapLoader<K, V> {
    private static final int ENTRIES_MAX = 1 << 10;

    private final ChunkMap<K, V> map;
    private final Deque<Map.Entry<K, V>> entries = new ArrayDeque<>();
    private boolean isClosed;

    RemoteLoader(ChunkMap<K, V> map) {
        this.map = map;
    }

    @Override
    public void add(K key, V value) {
        if (isClosed) {
            throw new IllegalStateException("the loader is closed");
        }
        entries.add(Map.entry(Objects.requireNonNull(key), Objects.requireNonNull(value)));
        if (entries.size() >= ENTRIES_MAX) {
            flush();
        }
    }

    @Override
    public void flush() {
        while (!entries.isEmpty()) {
            final Map.Entry<K, V> next = entries.element();
            map.set(next.getKey(), next.getValue());
            entries.remove();
        }
    }

    @Override
    public void close() {
        if (!isClosed) {
            flush();
            isClosed = true;
        }
    }
}
