package io.teff.bridge.jcache;

import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import javax.cache.Cache;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the live entries. Weakly consistent: it never fails because of changes, returns an entry that exists
 * all the time exactly once, and no key twice. Not thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class LiveEntries<K, V> implements Iterator<Cache.Entry<K, V>> {
    private final CacheCore<K, V> core;
    private final EntryOperations<K, V> operations;
    private final Iterator<Map.Entry<byte[], byte[]>> entries;
    private Map.@Nullable Entry<byte[], byte[]> next;
    private @Nullable K last;

    LiveEntries(CacheCore<K, V> core, EntryOperations<K, V> operations) {
        core.checkOpen();
        this.core = core;
        this.operations = operations;
        this.entries = core.table.iterator();
    }

    @Override
    public boolean hasNext() {
        core.checkOpen();
        while (next == null && entries.hasNext()) {
            Map.Entry<byte[], byte[]> entry = entries.next();
            if (!core.expiry.isExpired(entry.getValue())) {
                next = entry;
            }
        }
        return next != null;
    }

    @Override
    public Cache.Entry<K, V> next() {
        long start = core.statistics.start();
        Map.Entry<byte[], byte[]> entry = hasNext() ? next : null;
        if (entry == null) {
            throw new NoSuchElementException();
        }
        next = null;
        operations.access(entry.getKey(), entry.getValue());
        core.statistics.got(true, start);
        last = core.key(entry.getKey());
        return new SimpleEntry<>(last, core.value(entry.getValue()));
    }

    /** Removes the entry returned last, as {@link Cache#remove} does. */
    @Override
    public void remove() {
        K key = last;
        if (key == null) {
            throw new IllegalStateException("remove() requires a preceding next()");
        }
        last = null;
        operations.remove(key);
    }
}
