package io.teff.bridge.jcache;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.integration.CacheLoaderException;
import javax.cache.integration.CacheWriterException;
import javax.cache.integration.CompletionListener;
import org.jspecify.annotations.Nullable;

/**
 * The operations on many entries. Each entry is changed as by its single operation; the operation as a whole is not
 * atomic. While a loader or a writer is called for many keys, their stripes are held, taken in ascending order, so its
 * calls and the changes of the cache have the same order.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class BulkOperations<K, V> {
    private final CacheCore<K, V> core;
    private final EntryOperations<K, V> single;

    BulkOperations(CacheCore<K, V> core, EntryOperations<K, V> single) {
        this.core = core;
        this.single = single;
    }

    /** Returns the bytes of keys, in the order of the set; refuses null before any change. */
    private Map<K, byte[]> keyBytes(Set<? extends K> keys) {
        core.checkOpen();
        Map<K, byte[]> bytes = new LinkedHashMap<>();
        for (K key : keys) {
            bytes.put(key, core.keyBytes(key));
        }
        return bytes;
    }

    private EntryLocks.HeldStripes holdAll(Collection<byte[]> keys) {
        core.listeners.admit(core.stripes);
        return core.stripes.lockAll(keys.stream().mapToInt(EntryLocks::of).toArray());
    }

    // ---- reading ----

    Map<K, V> getAll(Set<? extends K> keys) {
        Map<K, byte[]> missing = new LinkedHashMap<>();
        Map<K, V> found = new HashMap<>();
        for (Map.Entry<K, byte[]> each : keyBytes(keys).entrySet()) {
            long start = core.statistics.start();
            V value = single.find(each.getValue());
            core.statistics.got(value != null, start);
            if (value == null) {
                missing.put(each.getKey(), each.getValue());
            } else {
                found.put(each.getKey(), value);
            }
        }
        if (core.loading.isReadThrough() && !missing.isEmpty()) {
            load(missing, false, found);
        }
        return found;
    }

    /**
     * Loads keys and puts the loaded values.
     *
     * @param replace whether to load existing entries, too
     * @param found receives the entries afterwards, those put by other threads in the meantime included
     */
    private void load(Map<K, byte[]> keys, boolean replace, Map<K, V> found) {
        Failures failures = new Failures();
        try (EntryLocks.HeldStripes _ = holdAll(keys.values())) {
            Set<K> wanted = new HashSet<>(keys.keySet());
            if (!replace) {
                keys.forEach((key, bytes) -> {
                    V value = single.find(bytes);
                    if (value != null) {
                        found.put(key, value);
                        wanted.remove(key);
                    }
                });
            }
            Map<K, V> loaded = wanted.isEmpty() ? Map.of() : core.loading.loadAll(wanted);
            for (K key : wanted) {
                V value = loaded.get(key);
                if (value != null) {
                    found.put(key, value);
                    failures.step(() -> putLoaded(Objects.requireNonNull(keys.get(key)), value));
                }
            }
        }
        failures.end();
    }

    private void putLoaded(byte[] key, V value) {
        byte[] made = core.entryBytes(value);
        try (LockedEntry<K, V> held = LockedEntry.of(core, key)) {
            held.put(made);
        }
    }

    /** Loads in the background; the listener is notified of success or failure in any case. */
    void loadAll(Set<? extends K> keys, boolean replace, @Nullable CompletionListener listener) {
        Map<K, byte[]> bytes = keyBytes(keys);
        if (!core.loading.isThere()) {
            if (listener != null) {
                listener.onCompletion();
            }
            return;
        }
        Thread.ofVirtual().name("jcache-load " + core.name).start(() -> {
            Exception failure = null;
            try {
                load(bytes, replace, new HashMap<>());
            } catch (CacheLoaderException e) {
                failure = e;
            } catch (RuntimeException e) {
                failure = new CacheLoaderException("loading " + bytes.size() + " keys failed: " + e.getMessage(), e);
            }
            if (listener != null && failure != null) {
                listener.onException(failure);
            } else if (listener != null) {
                listener.onCompletion();
            }
        });
    }

    // ---- changing ----

    void putAll(Map<? extends K, ? extends V> entries) {
        Map<K, byte[]> keys = new LinkedHashMap<>();
        Map<K, byte[]> made = new HashMap<>();
        core.checkOpen();
        for (Map.Entry<? extends K, ? extends V> entry : entries.entrySet()) {
            keys.put(entry.getKey(), core.keyBytes(entry.getKey()));
            made.put(entry.getKey(), core.entryBytes(entry.getValue()));
        }
        Failures failures = new Failures();
        if (!core.writing.isThrough()) {
            putEach(keys, made, failures);
        } else if (!keys.isEmpty()) {
            try (EntryLocks.HeldStripes _ = holdAll(keys.values())) {
                core.checkOpen();
                Collection<Cache.Entry<? extends K, ? extends V>> toWrite = new ArrayList<>();
                entries.forEach((key, value) -> toWrite.add(new SimpleEntry<K, V>(key, value)));
                failures.add(core.writing.writeAll(toWrite));
                toWrite.forEach(unwritten -> keys.remove(unwritten.getKey()));
                putEach(keys, made, failures);
            }
        }
        failures.end();
    }

    private void putEach(Map<K, byte[]> keys, Map<K, byte[]> made, Failures failures) {
        keys.forEach((key, bytes) -> failures.step(() -> {
            long start = core.statistics.start();
            try (LockedEntry<K, V> held = LockedEntry.of(core, bytes)) {
                if (held.putWritten(Objects.requireNonNull(made.get(key)))) {
                    core.statistics.put(start);
                }
            }
        }));
    }

    void removeAll(Set<? extends K> keys) {
        Map<K, byte[]> bytes = keyBytes(keys);
        Failures failures = new Failures();
        if (!core.writing.isThrough()) {
            removeEach(bytes, failures);
        } else if (!bytes.isEmpty()) {
            try (EntryLocks.HeldStripes _ = holdAll(bytes.values())) {
                removeWritten(bytes, failures);
            }
        }
        failures.end();
    }

    /** Removes all entries. With a writer, all other changes wait. */
    void removeAll() {
        core.checkOpen();
        Failures failures = new Failures();
        if (!core.writing.isThrough()) {
            removeEach(present(), failures);
        } else {
            core.listeners.admit(core.stripes);
            try (EntryLocks.HeldStripes _ = core.stripes.lockAll()) {
                removeWritten(present(), failures);
            }
        }
        failures.end();
    }

    private Map<K, byte[]> present() {
        Map<K, byte[]> keys = new HashMap<>();
        Iterator<Map.Entry<byte[], byte[]>> entries = core.table.iterator();
        while (entries.hasNext()) {
            byte[] key = entries.next().getKey();
            keys.put(core.key(key), key);
        }
        return keys;
    }

    private void removeWritten(Map<K, byte[]> keys, Failures failures) {
        core.checkOpen();
        if (keys.isEmpty()) {
            return;                                             // the writer is not called without keys
        }
        List<K> toDelete = new ArrayList<>(keys.keySet());
        failures.add(core.writing.deleteAll(toDelete));
        toDelete.forEach(keys::remove);
        removeEach(keys, failures);
    }

    private void removeEach(Map<K, byte[]> keys, Failures failures) {
        keys.values().forEach(bytes -> failures.step(() -> {
            long start = core.statistics.start();
            try (LockedEntry<K, V> held = LockedEntry.of(core, bytes)) {
                if (held.exists()) {
                    held.remove();
                    core.statistics.removed(start);
                }
            }
        }));
    }

    /** Removes all entries; neither the writer nor a listener is called. */
    void clear() {
        core.checkOpen();
        try (EntryLocks.HeldStripes _ = core.stripes.lockAll()) {
            core.checkOpen();
            core.table.clear();
        }
    }

    /** Failures of single entries; the first one is thrown at the end. */
    private static final class Failures {
        private @Nullable Throwable first;

        void add(@Nullable CacheWriterException thrown) {
            first = first == null ? thrown : first;
        }

        void step(Runnable work) {
            try {
                work.run();
            } catch (RuntimeException | Error e) {
                first = first == null ? e : first;
            }
        }

        void end() {
            if (first instanceof Error error) {
                throw error;
            }
            if (first instanceof RuntimeException exception) {
                throw exception;
            }
        }
    }
}
