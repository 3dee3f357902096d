package io.teff.bridge.jcache;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a cache, and how they are told.
 *
 * <p>{@link #tell} is called by who holds the stripe of the entry. Synchronous listeners are called there and then;
 * events for the others enter the queue there. Either way the events of a key have the order of its changes.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class Listeners<K, V> {
    private final Cache<K, V> cache;
    private final Function<byte[], K> keys;
    private final Function<byte[], V> values;
    private final long timeoutNs;
    private final List<Registration<K, V>> all = new CopyOnWriteArrayList<>();
    private volatile @Nullable EventQueue queue;

    /**
     * Makes an empty list.
     *
     * @param cache what events name as their source
     * @param keys reads a key
     * @param values reads the value of an entry
     * @param timeoutNs the longest wait for asynchronous listeners that are late
     */
    Listeners(Cache<K, V> cache, Function<byte[], K> keys, Function<byte[], V> values, long timeoutNs) {
        this.cache = cache;
        this.keys = keys;
        this.values = values;
        this.timeoutNs = timeoutNs;
    }

    synchronized void add(CacheEntryListenerConfiguration<K, V> config) {
        if (!config.isSynchronous() && queue == null) {
            queue = new EventQueue(cache.getName(), timeoutNs);
        }
        all.add(Registration.of(config));
    }

    /** Forgets a listener; it is closed if it can be. */
    synchronized void remove(CacheEntryListenerConfiguration<K, V> config) {
        for (Registration<K, V> registration : all) {
            if (registration.config().equals(config)) {
                all.remove(registration);
                close(registration);
            }
        }
    }

    /** To be called before the stripe is taken. */
    void admit(Stripes stripes) {
        EventQueue late = queue;
        if (late != null) {
            late.admit(stripes);
        }
    }

    /**
     * Tells of a change.
     *
     * @param before the entry before it, or null
     * @param after the entry after it, or null
     * @return what the first listener that failed has thrown; the others were told
     */
    @Nullable Throwable tell(EventType type, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        EntryEvent<K, V> event = null;
        Throwable failure = null;
        for (Registration<K, V> registration : all) {
            if (registration.wants(type)) {
                if (event == null) {
                    event = event(type, key, before, after);
                }
                Throwable thrown = tell(registration, event);
                failure = failure == null ? thrown : failure;
            }
        }
        return failure;
    }

    private EntryEvent<K, V> event(EventType type, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        V oldValue = before == null ? null : values.apply(before);
        V value = after == null ? oldValue : values.apply(after);
        if (value == null) {
            throw new AssertionError(type);
        }
        return new EntryEvent<>(cache, type, keys.apply(key), value, oldValue);
    }

    private @Nullable Throwable tell(Registration<K, V> registration, EntryEvent<K, V> event) {
        EventQueue later = queue;
        if (!registration.config().isSynchronous() && later != null) {
            later.put(() -> registration.tell(event));
            return null;
        }
        try {
            registration.tell(event);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Closes all that can be closed. */
    synchronized void close() {
        EventQueue last = queue;
        if (last != null) {
            last.close();
        }
        List<Registration<K, V>> closing = List.copyOf(all);
        all.clear();
        closing.forEach(Listeners::close);
    }

    private static void close(Registration<?, ?> registration) {
        Closing.close(registration.listener());
        Closing.close(registration.filter());
    }
}
