package io.teff.bridge.jcache;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.cache.Cache;
import javax.cache.CacheManager;
import javax.cache.configuration.CacheEntryListenerConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.integration.CompletionListener;
import javax.cache.processor.EntryProcessor;
import javax.cache.processor.EntryProcessorResult;
import org.jspecify.annotations.Nullable;

/**
 * A cache: delegates the methods of the API to the other classes of this package. Thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
final class TeffCache<K, V> implements Cache<K, V> {
    private final TeffCacheManager manager;
    private final String name;
    /** Guarded by itself. */
    private final MutableConfiguration<K, V> configuration;
    /** The registered beans of this cache; guarded by the configuration. */
    private final Set<BeanName> registered = EnumSet.noneOf(BeanName.class);
    private final CacheCore<K, V> core;
    private final EntryOperations<K, V> single;
    private final BulkOperations<K, V> bulk;
    private final Sweep sweep;

    TeffCache(TeffCacheManager manager, String name, MutableConfiguration<K, V> configuration, CacheCore.Home home) {
        this.manager = manager;
        this.name = name;
        this.configuration = configuration;
        core = new CacheCore<>(this, name, configuration, home);
        single = new EntryOperations<>(core);
        bulk = new BulkOperations<>(core, single);
        sweep = new Sweep(core);
        core.statistics.enable(configuration.isStatisticsEnabled());
    }

    Statistics statistics() {
        return core.statistics;
    }

    // ---- one entry ----

    @Override
    public @Nullable V get(K key) {
        return single.get(key);
    }

    @Override
    public boolean containsKey(K key) {
        return single.containsKey(key);
    }

    @Override
    public void put(K key, V value) {
        single.put(key, value);
    }

    @Override
    public @Nullable V getAndPut(K key, V value) {
        return single.getAndPut(key, value);
    }

    @Override
    public boolean putIfAbsent(K key, V value) {
        return single.putIfAbsent(key, value);
    }

    @Override
    public boolean remove(K key) {
        return single.remove(key);
    }

    @Override
    public boolean remove(K key, V oldValue) {
        return single.remove(key, oldValue);
    }

    @Override
    public @Nullable V getAndRemove(K key) {
        return single.getAndRemove(key);
    }

    @Override
    public boolean replace(K key, V oldValue, V newValue) {
        return single.replace(key, oldValue, newValue);
    }

    @Override
    public boolean replace(K key, V value) {
        return single.replace(key, value);
    }

    @Override
    public @Nullable V getAndReplace(K key, V value) {
        return single.getAndReplace(key, value);
    }

    @Override
    public <T> @Nullable T invoke(K key, EntryProcessor<K, V, T> entryProcessor, Object... arguments) {
        Objects.requireNonNull(entryProcessor, "entryProcessor");
        return Invocation.run(core, key, entryProcessor, arguments);
    }

    // ---- many entries ----

    @Override
    public Map<K, V> getAll(Set<? extends K> keys) {
        return bulk.getAll(keys);
    }

    @Override
    public void loadAll(Set<? extends K> keys, boolean replaceExistingValues,
                        @Nullable CompletionListener completionListener) {
        bulk.loadAll(keys, replaceExistingValues, completionListener);
    }

    @Override
    public void putAll(Map<? extends K, ? extends V> map) {
        bulk.putAll(map);
    }

    @Override
    public void removeAll(Set<? extends K> keys) {
        bulk.removeAll(keys);
    }

    @Override
    public void removeAll() {
        bulk.removeAll();
    }

    @Override
    public void clear() {
        bulk.clear();
    }

    @Override
    public <T> Map<K, EntryProcessorResult<T>> invokeAll(Set<? extends K> keys, EntryProcessor<K, V, T> entryProcessor,
                                                         Object... arguments) {
        Objects.requireNonNull(entryProcessor, "entryProcessor");
        core.checkOpen();
        keys.forEach(key -> Objects.requireNonNull(key, "key"));
        Map<K, EntryProcessorResult<T>> results = new HashMap<>();
        for (K key : keys) {
            try {
                T result = Invocation.run(core, key, entryProcessor, arguments);
                if (result != null) {
                    results.put(key, new ProcessorResult<>(result, null));
                }
            } catch (RuntimeException e) {
                results.put(key, new ProcessorResult<>(null, e));
            }
        }
        return results;
    }

    @Override
    public Iterator<Entry<K, V>> iterator() {
        return new LiveEntries<>(core, single);
    }

    // ---- configuration ----

    @Override
    public String getName() {
        return name;
    }

    @Override
    public CacheManager getCacheManager() {
        return manager;
    }

    /** {@inheritDoc} Returns a copy, which later changes do not affect. */
    @Override
    public <C extends Configuration<K, V>> C getConfiguration(Class<C> type) {
        synchronized (configuration) {
            return SimpleEntry.unwrap(new MutableConfiguration<>(configuration), type);
        }
    }

    @Override
    public void registerCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        Objects.requireNonNull(listener, "listener");
        synchronized (configuration) {
            core.checkOpen();
            configuration.addCacheEntryListenerConfiguration(listener);
            boolean done = false;
            try {
                core.listeners.add(listener);
                done = true;
            } finally {
                if (!done) {
                    configuration.removeCacheEntryListenerConfiguration(listener);
                }
            }
        }
    }

    @Override
    public void deregisterCacheEntryListener(CacheEntryListenerConfiguration<K, V> listener) {
        Objects.requireNonNull(listener, "listener");
        synchronized (configuration) {
            core.checkOpen();
            configuration.removeCacheEntryListenerConfiguration(listener);
            core.listeners.remove(listener);
        }
    }

    void enableStatistics(boolean on) {
        synchronized (configuration) {
            if (on) {
                core.checkOpen();
            }
            configuration.setStatisticsEnabled(on);
            core.statistics.enable(on);
            show(BeanName.STATISTICS, core.statistics, on);
        }
    }

    void enableManagement(boolean on) {
        synchronized (configuration) {
            if (on) {
                core.checkOpen();
            }
            configuration.setManagementEnabled(on);
            show(BeanName.CONFIGURATION, new ConfigurationBean(configuration), on);
        }
    }

    /** Registers a bean, or unregisters it if this cache has registered it. */
    private void show(BeanName bean, Object object, boolean on) {
        if (on && !registered.contains(bean) && bean.register(manager.getURI(), name, object)) {
            registered.add(bean);
        } else if (!on && registered.remove(bean)) {
            bean.unregister(manager.getURI(), name);
        }
    }

    // ---- life ----

    /**
     * {@inheritDoc}
     *
     * <p>The entries are in memory only, so they are lost. A call inside a listener, loader, writer or processor of
     * this cache does not wait for its end.
     */
    @Override
    public void close() {
        if (core.beginClose()) {
            Closing closing = new Closing();
            closing.step(() -> enableStatistics(false));
            closing.step(() -> enableManagement(false));
            core.endClose(closing);
            manager.remove(this);                               // last: from now on a cache of this name can be created
            closing.end();
        }
    }

    @Override
    public boolean isClosed() {
        return core.isClosed();
    }

    @Override
    public <T> T unwrap(Class<T> type) {
        return SimpleEntry.unwrap(this, type);
    }

    /** Returns the sweep of expired entries, which one thread at a time may run. */
    Sweep sweep() {
        return sweep;
    }

    @Override
    public String toString() {
        return "cache " + name + " of " + manager.getURI();
    }
}
