package io.teff.bridge.kafka;

import io.teff.engine.collect.ChunkSortedMap;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.common.utils.Bytes;
import org.jspecify.annotations.Nullable;

/**
 * The last changes of a store, on the heap: they reach the map together, in the order of their keys. So neighbours in
 * the map are one change of the log.
 *
 * <p>Changes exclude each other by a lock. A reader takes no lock: it looks here first, and then in the map. The
 * changes stay here until all of them are in the map, so a reader finds each of them in one of both places.
 */
final class RecentChanges {
    private static final Change REMOVAL = new Change(null);
    /** Heap of a change beside the bytes of its key and its value, about. */
    private static final int CHANGE_BYTES = 120;
    private static final int CHANGES_FIRST = 16;

    private final ChunkSortedMap<byte[], byte[]> map;
    private final long bytesMax;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile ConcurrentHashMap<Bytes, Change> changes = new ConcurrentHashMap<>();
    /** Heap of the changes; guarded by the lock. */
    private long bytes;

    /** A change of a key; the value is null if the key was removed. */
    record Change(byte @Nullable [] value) {
        int length() {
            return value == null ? 0 : value.length;
        }
    }

    RecentChanges(ChunkSortedMap<byte[], byte[]> map, long bytesMax) {
        this.map = map;
        this.bytesMax = bytesMax;
    }

    /** Puts or removes an entry. */
    void change(Bytes key, byte @Nullable [] value) {
        final byte[] array = key.get();
        if (value != null && array.length > ChunkSortedMap.KEY_BYTES_MAX) {
            throw new IllegalArgumentException("a key of " + array.length + " bytes; a store has keys of up to "
                + ChunkSortedMap.KEY_BYTES_MAX);
        }
        lock.lock();
        try {
            if (bytes >= bytesMax) {
                flush();
            }
            final Change change = value == null ? REMOVAL : new Change(value);
            final Change before = changes.put(key, change);
            bytes += change.length() + (before == null ? CHANGE_BYTES + array.length : -before.length());
        } finally {
            lock.unlock();
        }
    }

    /** Returns the last change of a key, or null if none is here: then the map has the entry, if there is one. */
    @Nullable Change find(Bytes key) {
        return changes.get(key);
    }

    /** Moves all changes to the map. If the map refuses a change, the changes stay here. */
    void flush() {
        lock.lock();
        try {
            final ConcurrentHashMap<Bytes, Change> all = changes;
            if (all.isEmpty()) {
                return;
            }
            final List<Entry<byte[], byte[]>> puts = new ArrayList<>(all.size());
            all.forEach((key, change) -> {
                if (change.value() == null) {
                    map.delete(key.get());
                } else {
                    puts.add(Map.entry(key.get(), change.value()));
                }
            });
            map.putAll(new Puts(puts));
            changes = new ConcurrentHashMap<>(Math.max(all.size(), CHANGES_FIRST));
            bytes = 0;
        } finally {
            lock.unlock();
        }
    }

    /** Entries as a map of arrays, which are not compared. */
    private static final class Puts extends AbstractMap<byte[], byte[]> {
        private final List<Entry<byte[], byte[]>> entries;

        Puts(List<Entry<byte[], byte[]>> entries) {
            this.entries = entries;
        }

        @Override
        public Set<Entry<byte[], byte[]>> entrySet() {
            return new AbstractSet<>() {
                @Override
                public Iterator<Entry<byte[], byte[]>> iterator() {
                    return entries.iterator();
                }

                @Override
                public int size() {
                    return entries.size();
                }
            };
        }
    }
}
