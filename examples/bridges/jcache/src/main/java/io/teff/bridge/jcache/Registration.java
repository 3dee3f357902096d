package io.teff.bridge.jcache;

import java.util.List;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Factory;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryEventFilter;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryListener;
import javax.cache.event.CacheEntryListenerException;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;
import javax.cache.event.EventType;
import org.jspecify.annotations.Nullable;

/**
 * A listener with its filter and configuration.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 * @param config configuration of the registration
 * @param listener the listener, created by the factory of the configuration
 * @param filter the filter, created by the factory of the configuration; null if there is none
 */
record Registration<K, V>(CacheEntryListenerConfiguration<K, V> config,
                          CacheEntryListener<? super K, ? super V> listener,
                          @Nullable CacheEntryEventFilter<? super K, ? super V> filter) {
    static <K, V> Registration<K, V> of(CacheEntryListenerConfiguration<K, V> config) {
        Factory<CacheEntryEventFilter<? super K, ? super V>> filters = config.getCacheEntryEventFilterFactory();
        return new Registration<>(config, config.getCacheEntryListenerFactory().create(),
            filters == null ? null : filters.create());
    }

    boolean wants(EventType type) {
        return switch (type) {
            case CREATED -> listener instanceof CacheEntryCreatedListener;
            case UPDATED -> listener instanceof CacheEntryUpdatedListener;
            case REMOVED -> listener instanceof CacheEntryRemovedListener;
            case EXPIRED -> listener instanceof CacheEntryExpiredListener;
        };
    }

    /**
     * Calls the listener if the filter accepts the event.
     *
     * @throws CacheEntryListenerException if the listener or filter throws
     */
    @SuppressWarnings("unchecked")
    void deliver(EntryEvent<K, V> event) {
        try {
            if (filter != null && !filter.evaluate(event)) {
                return;
            }
            Iterable<CacheEntryEvent<? extends K, ? extends V>> events = List.of(event);
            switch (event.getEventType()) {
                case CREATED -> ((CacheEntryCreatedListener<K, V>) listener).onCreated(events);
                case UPDATED -> ((CacheEntryUpdatedListener<K, V>) listener).onUpdated(events);
                case REMOVED -> ((CacheEntryRemovedListener<K, V>) listener).onRemoved(events);
                case EXPIRED -> ((CacheEntryExpiredListener<K, V>) listener).onExpired(events);
            }
        } catch (CacheEntryListenerException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new CacheEntryListenerException("listener " + listener + " failed: " + e, e);
        }
    }
}
