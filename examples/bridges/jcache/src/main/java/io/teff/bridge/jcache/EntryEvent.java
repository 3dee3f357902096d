package io.teff.bridge.jcache;

import javax.cache.Cache;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The event that a listener receives, with copies of the key and the values.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class EntryEvent<K, V> extends CacheEntryEvent<K, V> {
    private static final long serialVersionUID = 1L;

    private final transient K key;
    private final transient V value;
    private final transient @Nullable V oldValue;

    EntryEvent(Cache<K, V> source, EventType type, K key, V value, @Nullable V oldValue) {
        super(source, type);
        this.key = key;
        this.value = value;
        this.oldValue = oldValue;
    }

    @Override
    public K getKey() {
        return key;
    }

    @Override
    public V getValue() {
        return value;
    }

    @Override
    public @Nullable V getOldValue() {
        return oldValue;
    }

    @Override
    public boolean isOldValueAvailable() {
        return oldValue != null;
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return SimpleEntry.unwrap(this, type);
    }
}
