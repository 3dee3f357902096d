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
 * The operations on many entries. Each entry is changed as by its single operation; the whole is not atomic. Where a
 * loader or a writer is called for many keys at once, their stripes are held meanwhile, taken in order, so what it was
 * told and what the cache has are of the same order as all other changes.
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

    /** The bytes of keys, in the order of the set; null is refused before anything is done. */
    private Map<K, byte[]> keyBytes(Set<? extends K> keys) {
        core.checkOpen();
        Map<K, byte[]> bytes = new LinkedHashMap<>();
        for (K key : keys) {
            bytes.put(key, core.keyBytes(key));
        }
        return bytes;
    }

    private Stripes.Held holdAll(Collection<byte[]> keys) {
        core.listeners.admit(core.stripes);
        return core.stripes.lockAll(keys.stream().mapToInt(Stripes::of).toArray());
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
     * Loads keys and puts what comes.
     *
     * @param replace whether to load what is there, too
     * @param found gets what is there afterwards; what another thread has put meanwhile, too
     */
    private void load(Map<K, byte[]> keys, boolean replace, Map<K, V> found) {
        Failures failures = new Failures();
        try (Stripes.Held _ = holdAll(keys.values())) {
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
        try (HeldEntry<K, V> held = HeldEntry.of(core, key)) {
            held.put(made);
        }
    }

    /** Loads in the background; the listener hears of the end in any case. */
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
            try (Stripes.Held _ = holdAll(keys.values())) {
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
            try (HeldEntry<K, V> held = HeldEntry.of(core, bytes)) {
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
            try (Stripes.Held _ = holdAll(bytes.values())) {
                removeWritten(bytes, failures);
            }
        }
        failures.end();
    }

    /** Removes what there is. With a writer, everybody else waits meanwhile. */
    void removeAll() {
        core.checkOpen();
        Failures failures = new Failures();
        if (!core.writing.isThrough()) {
            removeEach(present(), failures);
        } else {
            core.listeners.admit(core.stripes);
            try (Stripes.Held _ = core.stripes.lockAll()) {
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
            return;                                             // the writer is not to be asked for nothing
        }
        List<K> toDelete = new ArrayList<>(keys.keySet());
        failures.add(core.writing.deleteAll(toDelete));
        toDelete.forEach(keys::remove);
        removeEach(keys, failures);
    }

    private void removeEach(Map<K, byte[]> keys, Failures failures) {
        keys.values().forEach(bytes -> failures.step(() -> {
            long start = core.statistics.start();
            try (HeldEntry<K, V> held = HeldEntry.of(core, bytes)) {
                if (held.exists()) {
                    held.remove();
                    core.statistics.removed(start);
                }
            }
        }));
    }

    /** Forgets everything; neither the writer nor a listener hears of it. */
    void clear() {
        core.checkOpen();
        try (Stripes.Held _ = core.stripes.lockAll()) {
            core.checkOpen();
            core.table.clear();
        }
    }

    /** What went wrong while all entries had their turn; the first is thrown at the end. */
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
