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
 * Makes JCache's managers over Teff. {@link javax.cache.Caching#getCachingProvider()} finds it as a service.
 *
 * <p>A manager is known by its URI and class loader until it is closed. Any URI will do; it is a name. The properties
 * with which it is asked for first say how its store is opened:
 *
 * <table>
 * <caption>Properties of a manager</caption>
 * <tr><th>Property</th><th>Meaning</th><th>Default</th></tr>
 * <tr><td>{@code teff.memoryLimitBytes}</td><td>the most memory that all caches of the manager take together, 4 MiB at
 * least</td><td>three quarters of the machine's</td></tr>
 * <tr><td>{@code teff.lockTimeoutMillis}</td><td>the longest wait for another thread's entry, 1 to 86,400,000</td>
 * <td>10,000</td></tr>
 * <tr><td>{@code teff.sweepMillis}</td><td>the rest between two rounds that remove what has expired, likewise</td>
 * <td>1,000</td></tr>
 * <tr><td>{@code teff.hugePages}</td><td>whether to ask for huge pages</td><td>false</td></tr>
 * <tr><td>{@code teff.defragCpuPercent}</td><td>see {@link io.teff.engine.config.StoreConfig}, 0 to
 * 100</td><td>25</td></tr>
 * <tr><td>{@code teff.debugLevel}</td><td>a {@link io.teff.engine.config.DebugLevel}</td><td>off</td></tr>
 * </table>
 *
 * <p>Thread-safe. Managers that are not closed keep their memory for as long as this provider lives.
 */
public final class TeffCachingProvider implements CachingProvider {
    private static final URI DEFAULT_URI = URI.create("teff:default");

    private final Clock clock;
    /** Guarded by this. */
    private final Map<Key, TeffCacheManager> managers = new HashMap<>();

    /** What a manager is known by. */
    private record Key(URI uri, ClassLoader classLoader) {}

    /** Makes a provider without managers; called by the JDK's service loader. */
    public TeffCachingProvider() {
        this(Clock.SYSTEM);
    }

    TeffCachingProvider(Clock clock) {
        this.clock = clock;
    }

    /**
     * {@inheritDoc}
     *
     * @throws javax.cache.CacheException naming the property that is wrong, or if the store cannot be opened
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

    /** {@inheritDoc} There are none: everything has the default of the table above. */
    @Override
    public Properties getDefaultProperties() {
        return new Properties();
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

    /** A manager is being closed. */
    synchronized void forget(TeffCacheManager manager) {
        managers.remove(new Key(manager.getURI(), manager.getClassLoader()), manager);
    }

    /** {@inheritDoc} Entries are bytes outside of the heap, so there is no storing by reference. */
    @Override
    public boolean isSupported(OptionalFeature optionalFeature) {
        return false;
    }
}
