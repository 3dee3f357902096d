package io.teff.bridge.jcache;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.Predicate;
import javax.cache.CacheManager;
import javax.cache.configuration.OptionalFeature;
import javax.cache.spi.CachingProvider;
import org.jspecify.annotations.Nullable;

/**
 * Provides JCache managers over Teff. {@link javax.cache.Caching#getCachingProvider()} finds it as a service.
 *
 * <p>A manager is identified by its URI and class loader until it is closed. The URI is only a name. The properties of
 * the first request for a manager configure its store:
 *
 * <table>
 * <caption>Properties of a manager</caption>
 * <tr><th>Property</th><th>Meaning</th><th>Default</th></tr>
 * <tr><td>{@code teff.store}</td>
 * <td>address of a store, as of {@link io.teff.engine.ChunkStore#open}: for example {@code tcp:10.0.0.1:7400}, a
 * cluster. Then the properties of memory have no meaning and are refused</td>
 * <td>the system property of this name; else a store in this process</td></tr>
 * <tr><td>{@code teff.memoryLimitBytes}</td>
 * <td>memory limit of all caches of the manager together, in bytes, at least 4 MiB</td>
 * <td>three quarters of the machine's memory</td></tr>
 * <tr><td>{@code teff.limitEntries}</td>
 * <td>limit of the entries of each cache; a cache at its limit evicts</td>
 * <td>the system property of this name; else none</td></tr>
 * <tr><td>{@code teff.limitBytes}</td>
 * <td>limit of the memory of each cache, in bytes; not together with a limit of entries</td><td>none</td></tr>
 * <tr><td>{@code teff.lockTimeoutMillis}</td>
 * <td>maximum wait for an entry held by another thread, 1 to 86,400,000 ms</td><td>10,000</td></tr>
 * <tr><td>{@code teff.sweepMillis}</td>
 * <td>time between two rounds that remove expired entries, 1 to 86,400,000 ms</td><td>1,000</td></tr>
 * <tr><td>{@code teff.hugePages}</td><td>whether to request huge pages</td><td>false</td></tr>
 * <tr><td>{@code teff.defragCpuPercent}</td>
 * <td>see {@link io.teff.engine.config.StoreConfig}, 0 to 100</td><td>25</td></tr>
 * <tr><td>{@code teff.debugLevel}</td><td>a {@link io.teff.engine.config.DebugLevel}</td><td>off</td></tr>
 * </table>
 *
 * <p>Thread-safe. Managers that are not closed keep their memory as long as this provider is reachable.
 */
public final class TeffCachingProvider implements CachingProvider {
    private static final URI DEFAULT_URI = URI.create("teff:default");

    private final ExpiryClock clock;
    /** Guarded by this. */
    private final Map<Key, TeffCacheManager> managers = new HashMap<>();

    /** The identity of a manager. */
    private record Key(URI uri, ClassLoader classLoader) {}

    /** Creates a provider without managers; called by the service loader. */
    public TeffCachingProvider() {
        this(ExpiryClock.SYSTEM);
    }

    TeffCachingProvider(ExpiryClock clock) {
        this.clock = clock;
    }

    /**
     * {@inheritDoc}
     *
     * @throws javax.cache.CacheException if a property is wrong, which the message names, or the store cannot be opened
     */
    @Override
    public synchronized CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader,
                                                     @Nullable Properties properties) {
        Key key = key(uri, classLoader);
        return managers.computeIfAbsent(key, same -> new TeffCacheManager(this, same.uri, same.classLoader,
            properties == null ? getDefaultProperties() : properties, clock));
    }

    private Key key(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        return new Key(uri == null ? DEFAULT_URI : uri, classLoader == null ? getDefaultClassLoader() : classLoader);
    }

    @Override
    public CacheManager getCacheManager(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        return getCacheManager(uri, classLoader, null);
    }

    @Override
    public CacheManager getCacheManager() {
        return getCacheManager(null, null, null);
    }

    @Override
    public ClassLoader getDefaultClassLoader() {
        return TeffCachingProvider.class.getClassLoader();
    }

    @Override
    public URI getDefaultURI() {
        return DEFAULT_URI;
    }

    /** {@inheritDoc} These are empty unless {@code teff.store} is a system property: others have their defaults. */
    @Override
    public Properties getDefaultProperties() {
        Properties properties = new Properties();
        for (String name : List.of(ManagerSettings.STORE, ManagerSettings.LIMIT_ENTRIES)) {
            @Nullable String value = System.getProperty(name);
            if (value != null) {
                properties.setProperty(name, value);
            }
        }
        return properties;
    }

    // ---- closing ----

    @Override
    public void close() {
        close(_ -> true);
    }

    @Override
    public void close(@Nullable ClassLoader classLoader) {
        ClassLoader asked = key(null, classLoader).classLoader;
        close(key -> key.classLoader.equals(asked));
    }

    @Override
    public void close(@Nullable URI uri, @Nullable ClassLoader classLoader) {
        close(key(uri, classLoader)::equals);
    }

    private void close(Predicate<Key> which) {
        List<TeffCacheManager> closing;
        synchronized (this) {
            closing = managers.entrySet().stream().filter(entry -> which.test(entry.getKey())).map(Map.Entry::getValue)
                .toList();
        }
        Closing steps = new Closing();
        closing.forEach(manager -> steps.step(manager::close));
        steps.end();
    }

    /** Removes a manager that is being closed. */
    synchronized void remove(TeffCacheManager manager) {
        managers.remove(new Key(manager.getURI(), manager.getClassLoader()), manager);
    }

    /** {@inheritDoc} Store by reference is not supported, because entries are bytes outside the heap. */
    @Override
    public boolean isSupported(OptionalFeature optionalFeature) {
        return false;
    }
}
