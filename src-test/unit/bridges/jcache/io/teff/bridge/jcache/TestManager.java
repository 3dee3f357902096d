package io.teff.bridge.jcache;

import io.teff.engine.Store;
import java.net.URI;
import java.util.Properties;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableConfiguration;

/** A provider with one manager, whose time is a test's and whose caches are swept when a test says so. */
final class TestManager implements AutoCloseable {
    static final long NEVER_MS = 86_400_000;

    final FakeClock clock = new FakeClock();
    final TeffCachingProvider provider = new TeffCachingProvider(clock);
    final TeffCacheManager manager;

    /** Makes one with a memory limit of 64 MiB and further properties: name, value, name, value. */
    TestManager(String... properties) {
        Properties all = new Properties();
        all.setProperty(ManagerSettings.MEMORY_LIMIT, "67108864");
        all.setProperty(ManagerSettings.SWEEP, Long.toString(NEVER_MS));
        for (int i = 0; i < properties.length; i += 2) {
            all.setProperty(properties[i], properties[i + 1]);
        }
        manager = (TeffCacheManager) provider.getCacheManager(URI.create("test:one"), null, all);
    }

    static <K, V> MutableConfiguration<K, V> types(Class<K> keys, Class<V> values) {
        return new MutableConfiguration<K, V>().setTypes(keys, values);
    }

    <K, V> TeffCache<K, V> cache(String name, Configuration<K, V> configuration) {
        return (TeffCache<K, V>) manager.createCache(name, configuration);
    }

    Store store() {
        return manager.unwrap(Store.class);
    }

    /** Audits the store, if it is open, and closes everything. */
    @Override
    public void close() {
        if (!manager.isClosed()) {
            store().audit();
        }
        provider.close();
    }
}
