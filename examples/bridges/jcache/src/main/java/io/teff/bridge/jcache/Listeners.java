package io.teff.bridge.jcache;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import javax.cache.Cache;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a cache, and the delivery of events to them.
 *
 * <p>{@link #deliver(EventType, byte[], byte[], byte[])} is called by the holder of the entry's stripe. It calls
 * synchronous listeners, and adds events for asynchronous ones to the queue. Both receive the events of a key in the
 * order of its changes.
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
     * Creates an empty list.
     *
     * @param cache source of the events
     * @param keys decodes a key
     * @param values decodes the value of an entry
     * @param timeoutNs maximum wait for asynchronous listeners that are behind, in nanoseconds
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

    /** Removes a listener, and closes it if it is closeable. */
    synchronized void remove(CacheEntryListenerConfiguration<K, V> config) {
        for (Registration<K, V> registration : all) {
            if (registration.config().equals(config)) {
                all.remove(registration);
                close(registration);
            }
        }
    }

    /** Waits for space in the queue. Must be called before the stripe is taken. */
    void admit(EntryLocks stripes) {
        EventQueue late = queue;
        if (late != null) {
            late.admit(stripes);
        }
    }

    /**
     * Delivers the event of a change.
     *
     * @param before the entry before the change, or null
     * @param after the entry after the change, or null
     * @return the exception of the first listener that failed, or null; the other listeners were called too
     */
    @Nullable Throwable deliver(EventType type, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {
        EntryEvent<K, V> event = null;
        Throwable failure = null;
        for (Registration<K, V> registration : all) {
            if (registration.wants(type)) {
                if (event == null) {
                    event = event(type, key, before, after);
                }
                Throwable thrown = deliver(registration, event);
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

    private @Nullable Throwable deliver(Registration<K, V> registration, EntryEvent<K, V> event) {
        EventQueue later = queue;
        if (!registration.config().isSynchronous() && later != null) {
            later.put(() -> registration.deliver(event));
            return null;
        }
        try {
            registration.deliver(event);
            return null;
        } catch (RuntimeException | Error e) {
            return e;
        }
    }

    /** Closes all listeners that are closeable. */
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
