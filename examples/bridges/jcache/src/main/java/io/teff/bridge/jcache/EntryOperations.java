package io.teff.bridge.jcache;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The operations on one entry. Each is atomic: it holds the stripe of the key from its first read to the last listener.
 * A get that finds its entry, and does not change the time of expiry, takes no lock.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class EntryOperations<K, V> {
    private final CacheCore<K, V> core;
    private final Statistics statistics;

    EntryOperations(CacheCore<K, V> core) {
        this.core = core;
        this.statistics = core.statistics;
    }

    private LockedEntry<K, V> hold(K key) {
        return LockedEntry.of(core, core.keyBytes(key));
    }

    // ---- reading ----

    boolean containsKey(K key) {
        core.checkOpen();
        byte[] entry = core.table.get(core.keyBytes(key));
        return entry != null && !core.expiry.isExpired(entry);
    }

    @Nullable V get(K key) {
        core.checkOpen();
        long start = statistics.start();
        byte[] keyBytes = core.keyBytes(key);
        V value = find(keyBytes);
        boolean hit = value != null;
        if (!hit && core.loading.isReadThrough()) {
            try (LockedEntry<K, V> held = LockedEntry.of(core, keyBytes)) {
                hit = held.exists();
                value = hit ? accessed(held) : load(key, held);
            }
        }
        statistics.got(hit, start);
        return value;
    }

    /** Returns the value of a live entry, which counts as an access, or null. */
    @Nullable V find(byte[] keyBytes) {
        byte[] entry = core.table.get(keyBytes);
        if (entry == null) {
            return null;
        }
        if (core.expiry.isExpired(entry)) {
            return findSlow(keyBytes);
        }
        access(keyBytes, entry);
        return core.value(entry);
    }

    private @Nullable V findSlow(byte[] keyBytes) {
        try (LockedEntry<K, V> held = LockedEntry.of(core, keyBytes)) {
            return held.exists() ? accessed(held) : null;
        }
    }

    /** Updates the time of expiry of an entry read without its lock, unless another thread has changed the entry. */
    void access(byte[] keyBytes, byte[] entry) {
        long before = EntryLayout.expiry(entry);
        long expiryMs = core.expiry.ofAccess(before);
        if (expiryMs != before) {
            try (LockedEntry<K, V> held = LockedEntry.of(core, keyBytes)) {
                if (held.exists() && held.expiryMs() == before) {
                    held.moveExpiry(before, expiryMs);
                }
            }
        }
    }

    private V accessed(LockedEntry<K, V> held) {
        V value = held.value();
        held.access();
        return value;
    }

    private @Nullable V load(K key, LockedEntry<K, V> held) {
        V loaded = core.loading.load(key);
        if (loaded != null) {
            held.put(core.entryBytes(loaded));
        }
        return loaded;
    }

    // ---- putting ----

    void put(K key, V value) {
        core.checkOpen();
        long start = statistics.start();
        byte[] made = core.entryBytes(value);
        try (LockedEntry<K, V> held = hold(key)) {
            if (held.writeAndPut(key, value, made)) {
                statistics.put(start);
            }
        }
    }

    @Nullable V getAndPut(K key, V value) {
        core.checkOpen();
        long start = statistics.start();
        byte[] made = core.entryBytes(value);
        try (LockedEntry<K, V> held = hold(key)) {
            V before = held.exists() ? held.value() : null;
            boolean put = held.writeAndPut(key, value, made);
            statistics.got(before != null, start);
            if (put) {
                statistics.put(start);
            }
            return before;
        }
    }

    boolean putIfAbsent(K key, V value) {
        core.checkOpen();
        long start = statistics.start();
        byte[] made = core.entryBytes(value);
        try (LockedEntry<K, V> held = hold(key)) {
            if (held.exists()) {
                statistics.got(true, start);
                return false;
            }
            boolean put = held.writeAndPut(key, value, made);
            statistics.got(false, start);
            if (put) {
                statistics.put(start);
            }
            return put;
        }
    }

    /** {@return whether there was an entry to replace} */
    boolean replace(K key, V value) {
        return getAndReplace(key, value) != null;
    }

    @Nullable V getAndReplace(K key, V value) {
        core.checkOpen();
        long start = statistics.start();
        byte[] made = core.entryBytes(value);
        try (LockedEntry<K, V> held = hold(key)) {
            if (!held.exists()) {
                statistics.got(false, start);
                return null;
            }
            V before = held.value();
            held.writeAndPut(key, value, made);
            statistics.got(true, start);
            statistics.put(start);
            return before;
        }
    }

    boolean replace(K key, V oldValue, V newValue) {
        core.checkOpen();
        Objects.requireNonNull(oldValue, "oldValue");
        long start = statistics.start();
        byte[] made = core.entryBytes(newValue);
        try (LockedEntry<K, V> held = hold(key)) {
            statistics.got(held.exists(), start);
            if (!isEqual(held, oldValue)) {
                return false;
            }
            held.writeAndPut(key, newValue, made);
            statistics.put(start);
            return true;
        }
    }

    /** Returns whether the entry has that value; a different value counts as an access. Arrays compare by content. */
    private boolean isEqual(LockedEntry<K, V> held, V value) {
        if (!held.exists()) {
            return false;
        }
        boolean equal = Objects.deepEquals(held.value(), value);
        if (!equal) {
            held.access();
        }
        return equal;
    }

    // ---- removing ----

    boolean remove(K key) {
        core.checkOpen();
        long start = statistics.start();
        try (LockedEntry<K, V> held = hold(key)) {
            return remove(key, held, start);
        }
    }

    private boolean remove(K key, LockedEntry<K, V> held, long start) {
        core.writing.delete(key);
        if (!held.exists()) {
            return false;
        }
        held.remove();
        statistics.removed(start);
        return true;
    }

    boolean remove(K key, V oldValue) {
        core.checkOpen();
        Objects.requireNonNull(oldValue, "oldValue");
        long start = statistics.start();
        try (LockedEntry<K, V> held = hold(key)) {
            statistics.got(held.exists(), start);
            return isEqual(held, oldValue) && remove(key, held, start);
        }
    }

    @Nullable V getAndRemove(K key) {
        core.checkOpen();
        long start = statistics.start();
        try (LockedEntry<K, V> held = hold(key)) {
            V before = held.exists() ? held.value() : null;
            statistics.got(before != null, start);
            remove(key, held, start);
            return before;
        }
    }
}
