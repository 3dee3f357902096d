package io.teff.bridge.jcache;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.event.CacheEntryCreatedListener;
import javax.cache.event.CacheEntryEvent;
import javax.cache.event.CacheEntryExpiredListener;
import javax.cache.event.CacheEntryRemovedListener;
import javax.cache.event.CacheEntryUpdatedListener;

/** Hears of everything, and checks that the events of each key follow from each other: a model of the cache. */
final class ChainListener implements CacheEntryCreatedListener<Integer, Long>, CacheEntryUpdatedListener<Integer, Long>,
    CacheEntryRemovedListener<Integer, Long>, CacheEntryExpiredListener<Integer, Long> {
    final ConcurrentMap<Integer, Long> model = new ConcurrentHashMap<>();
    final ConcurrentLinkedQueue<String> breaks = new ConcurrentLinkedQueue<>();
    final AtomicLong events = new AtomicLong();
    final AtomicLong expired = new AtomicLong();

    MutableCacheEntryListenerConfiguration<Integer, Long> configuration(boolean synchronous) {
        return new MutableCacheEntryListenerConfiguration<>(() -> this, null, true, synchronous);
    }

    private void step(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> all, boolean stays) {
        for (CacheEntryEvent<? extends Integer, ? extends Long> event : all) {
            events.incrementAndGet();
            Long known = stays ? model.put(event.getKey(), event.getValue()) : model.remove(event.getKey());
            if (known == null ? event.getOldValue() != null : !known.equals(event.getOldValue())) {
                breaks.add(event.getEventType() + " of key " + event.getKey() + " from " + event.getOldValue()
                    + ", but the event before it said " + known);
            }
        }
    }

    @Override
    public void onCreated(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> all) {
        step(all, true);
    }

    @Override
    public void onUpdated(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> all) {
        step(all, true);
    }

    @Override
    public void onRemoved(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> all) {
        step(all, false);
    }

    @Override
    public void onExpired(Iterable<CacheEntryEvent<? extends Integer, ? extends Long>> all) {
        expired.incrementAndGet();
        step(all, false);
    }

    /** The current content of the cache. */
    static Map<Integer, Long> content(TeffCache<Integer, Long> cache) {
        Map<Integer, Long> content = new ConcurrentHashMap<>();
        cache.forEach(entry -> content.put(entry.getKey(), entry.getValue()));
        return content;
    }
}
