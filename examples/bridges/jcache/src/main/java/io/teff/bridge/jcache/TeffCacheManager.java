package io.teff.bridge.jcache;

import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.CompleteConfiguration;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/** Caches in one store. Closing the manager closes the caches and the store. Thread-safe. */
final class TeffCacheManager implements CacheManager {
    private final TeffCachingProvider provider;
    private final URI uri;
    private final ClassLoader classLoader;
    private final Properties properties;
    private final ChunkStore store;
    private final Sweeper sweeper;
    private final CacheCore.Home home;
    /** Written while synchronized on this, read by all threads. */
    private final ConcurrentMap<String, TeffCache<?, ?>> caches = new ConcurrentHashMap<>();
    private volatile boolean closed;

    TeffCacheManager(TeffCachingProvider provider, URI uri, ClassLoader classLoader, Properties properties,
                     ExpiryClock clock) {
        this.provider = provider;
        this.uri = uri;
        this.classLoader = classLoader;
        this.properties = copy(properties);
        ManagerSettings settings = ManagerSettings.of(uri, properties);
        store = settings.open();
        // A store of several processes has the caches of other managers, too.
        String prefix = store instanceof Store ? "" : "jcache " + UUID.randomUUID() + ' ';
        sweeper = new Sweeper("jcache-sweeper " + uri, this::caches, clock, settings.sweepMs());
        home = new CacheCore.Home(store, prefix, classLoader, clock, settings.lockTimeoutNs(), settings.limit(),
            sweeper::reclaim);
    }

    private static Properties copy(Properties properties) {
        Properties copy = new Properties();
        properties.stringPropertyNames().forEach(name -> copy.setProperty(name, properties.getProperty(name)));
        return copy;
    }

    private Collection<TeffCache<?, ?>> caches() {
        return List.copyOf(caches.values());
    }

    // ---- identity ----

    @Override
    public CachingProvider getCachingProvider() {
        return provider;
    }

    @Override
    public URI getURI() {
        return uri;
    }

    @Override
    public ClassLoader getClassLoader() {
        return classLoader;
    }

    @Override
    public Properties getProperties() {
        return copy(properties);
    }

    // ---- caches ----

    @Override
    public synchronized <K, V, C extends Configuration<K, V>> Cache<K, V> createCache(String cacheName,
                                                                                      C configuration) {
        checkOpen();
        Objects.requireNonNull(cacheName, "cacheName");
        MutableConfiguration<K, V> copy = copy(Objects.requireNonNull(configuration, "configuration"));
        TeffCache<?, ?> present = caches.get(cacheName);
        if (present != null) {
            throw new CacheException("cache " + cacheName + " exists already"
                + (present.isClosed() ? ", which another thread is closing" : ""));
        }
        if (!copy.isStoreByValue()) {
            throw new UnsupportedOperationException("cache " + cacheName + ": store by reference is not supported, "
                + "because entries are bytes outside of the heap");
        }
        TeffCache<K, V> cache = new TeffCache<>(this, cacheName, copy, home);
        caches.put(cacheName, cache);
        boolean done = false;
        try {
            cache.enableStatistics(copy.isStatisticsEnabled());
            cache.enableManagement(copy.isManagementEnabled());
            done = true;
        } finally {
            if (!done) {
                cache.close();
            }
        }
        sweeper.start();
        return cache;
    }

    private static <K, V> MutableConfiguration<K, V> copy(Configuration<K, V> configuration) {
        if (configuration instanceof CompleteConfiguration<K, V> complete) {
            return new MutableConfiguration<>(complete);
        }
        return new MutableConfiguration<K, V>().setTypes(configuration.getKeyType(), configuration.getValueType())
            .setStoreByValue(configuration.isStoreByValue());
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> @Nullable Cache<K, V> getCache(String cacheName, Class<K> keyType, Class<V> valueType) {
        Objects.requireNonNull(keyType, "keyType");
        Objects.requireNonNull(valueType, "valueType");
        Cache<K, V> cache = getCache(cacheName);
        if (cache != null) {
            Configuration<K, V> configuration = cache.getConfiguration(Configuration.class);
            checkType(cacheName, "keys", configuration.getKeyType(), keyType);
            checkType(cacheName, "values", configuration.getValueType(), valueType);
        }
        return cache;
    }

    private static void checkType(String cacheName, String what, Class<?> type, Class<?> asked) {
        if (!type.equals(asked)) {
            throw new ClassCastException("the " + what + " of cache " + cacheName + " are of " + type.getName()
                + ", not of " + asked.getName());
        }
    }

    @Override
    @SuppressWarnings("unchecked")
    public <K, V> @Nullable Cache<K, V> getCache(String cacheName) {
        checkOpen();
        return (Cache<K, V>) find(cacheName);
    }

    /** Returns the cache of a name, or null if there is none or it is being closed. */
    private @Nullable TeffCache<?, ?> find(String cacheName) {
        TeffCache<?, ?> cache = caches.get(Objects.requireNonNull(cacheName, "cacheName"));
        return cache == null || cache.isClosed() ? null : cache;
    }

    @Override
    public Iterable<String> getCacheNames() {
        checkOpen();
        return Set.copyOf(caches.keySet());
    }

    @Override
    public void destroyCache(String cacheName) {
        checkOpen();
        TeffCache<?, ?> cache = find(cacheName);
        if (cache != null) {
            cache.close();
        }
    }

    /** Removes a closed cache. */
    void remove(TeffCache<?, ?> cache) {
        caches.remove(cache.getName(), cache);
    }

    @Override
    public void enableManagement(String cacheName, boolean enabled) {
        checkOpen();
        TeffCache<?, ?> cache = find(cacheName);
        if (cache != null) {
            cache.enableManagement(enabled);
        }
    }

    @Override
    public void enableStatistics(String cacheName, boolean enabled) {
        checkOpen();
        TeffCache<?, ?> cache = find(cacheName);
        if (cache != null) {
            cache.enableStatistics(enabled);
        }
    }

    // ---- life ----

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the cache manager " + uri + " is closed");
        }
    }

    /** {@inheritDoc} Closes the caches and the store, even if closing an object of the application fails. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
        }
        provider.remove(this);
        Closing closing = new Closing();
        closing.step(sweeper::close);
        for (Map.Entry<String, TeffCache<?, ?>> cache : Map.copyOf(caches).entrySet()) {
            closing.step(cache.getValue()::close);
        }
        closing.step(store::close);
        closing.end();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    /** {@inheritDoc} Supports {@link Store} and {@link ChunkStore} too, for the statistics of the store. */
    @Override
    public <T> T unwrap(Class<T> type) {
        return (type.equals(Store.class) || type.equals(ChunkStore.class)) && type.isInstance(store) ? type.cast(store)
            : SimpleEntry.unwrap(this, type);
    }

    Sweeper sweeper() {
        return sweeper;
    }

    @Override
    public String toString() {
        return "cache manager " + uri;
    }
}
