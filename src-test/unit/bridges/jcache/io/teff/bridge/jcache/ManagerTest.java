package io.teff.bridge.jcache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.config.DebugLevel;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.stream.StreamSupport;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.Caching;
import javax.cache.configuration.Configuration;
import javax.cache.configuration.MutableCacheEntryListenerConfiguration;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.configuration.OptionalFeature;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Goal: managers are apart from each other, are opened as their properties say, and refuse what means nothing. */
final class ManagerTest {
    private final TestManager test = new TestManager();

    @AfterEach
    void close() {
        test.close();
    }

    private static MutableConfiguration<String, Integer> configuration() {
        return TestManager.types(String.class, Integer.class);
    }

    private CacheManager opened(String... properties) {
        Properties all = new Properties();
        for (int i = 0; i < properties.length; i += 2) {
            all.setProperty(properties[i], properties[i + 1]);
        }
        return test.provider.getCacheManager(URI.create("test:other"), null, all);
    }

    // ---- finding ----

    @Test
    void provider_asAService_isFound() {
        assertInstanceOf(TeffCachingProvider.class, Caching.getCachingProvider());
        assertFalse(Caching.getCachingProvider().isSupported(OptionalFeature.STORE_BY_REFERENCE));
    }

    @Test
    void twoManagers_withCachesOfOneName_areApart() {
        CacheManager other = opened();
        Cache<String, Integer> first = test.cache("cache", configuration());
        Cache<String, Integer> second = other.createCache("cache", configuration());
        first.put("key", 1);
        second.put("key", 2);
        assertEquals(1, first.get("key"));
        other.close();
        assertEquals(1, first.get("key"));
        assertThrows(IllegalStateException.class, () -> second.get("key"));
        assertNotSame(other, opened());
    }

    @Test
    void manager_reopened_isEmptyAndWorks() {
        CacheManager first = opened();
        first.createCache("cache", configuration()).put("key", 1);
        first.close();
        CacheManager again = opened();
        assertEquals(List.of(), StreamSupport.stream(again.getCacheNames().spliterator(), false).toList());
        Cache<String, Integer> cache = again.createCache("cache", configuration());
        assertNull(cache.get("key"));
        cache.put("key", 2);
        assertEquals(2, cache.get("key"));
    }

    @Test
    void configuration_thatIsOnlyBasic_isEnough() {
        Cache<String, Integer> cache = test.manager.createCache("basic", new Configuration<String, Integer>() {
            private static final long serialVersionUID = 1L;

            @Override
            public Class<String> getKeyType() {
                return String.class;
            }

            @Override
            public Class<Integer> getValueType() {
                return Integer.class;
            }

            @Override
            public boolean isStoreByValue() {
                return true;
            }
        });
        cache.put("key", 1);
        assertSame(cache, test.manager.getCache("basic", String.class, Integer.class));
        assertThrows(ClassCastException.class, () -> test.manager.getCache("basic", String.class, Long.class));
    }

    @Test
    void factoryThatFails_leavesNoCache() {
        MutableConfiguration<String, Integer> broken = configuration().setCacheLoaderFactory(() -> {
            throw new IllegalArgumentException("no loader today");
        });
        assertThrows(IllegalArgumentException.class, () -> test.manager.createCache("broken", broken));
        assertNull(test.manager.getCache("broken"));
        assertTrue(test.store().names().get("broken").isEmpty());
        Cache<String, Integer> cache = test.cache("broken", configuration());
        assertThrows(IllegalArgumentException.class, () -> cache.registerCacheEntryListener(
            new MutableCacheEntryListenerConfiguration<>(() -> {
                throw new IllegalArgumentException("no listener today");
            }, null, false, true)));
        cache.put("key", 1);
        assertEquals(1, cache.get("key"));
    }

    @Test
    void storeByReference_isRefused() {
        assertThrows(UnsupportedOperationException.class,
            () -> test.manager.createCache("reference", configuration().setStoreByValue(false)));
        assertNull(test.manager.getCache("reference"));
    }

    @Test
    void unwrap_ofAManager_givesItsStore() {
        assertSame(test.store(), test.manager.unwrap(Store.class));
        assertSame(test.manager, test.manager.unwrap(CacheManager.class));
        assertThrows(IllegalArgumentException.class, () -> test.manager.unwrap(String.class));
    }

    // ---- properties ----

    @Test
    void properties_ofAManager_openItsStore() {
        Store store = opened(ManagerSettings.MEMORY_LIMIT, "16777216", ManagerSettings.DEBUG, "canaries",
            ManagerSettings.DEFRAG, "7", ManagerSettings.HUGE_PAGES, "true", ManagerSettings.LOCK_TIMEOUT, "250",
            "someone.elses", "thing").unwrap(Store.class);
        assertEquals(16 << 20, store.config().memoryLimitBytes());
        assertEquals(DebugLevel.CANARIES, store.config().debugLevel());
        assertEquals(7, store.config().defragCpuPercent());
        assertTrue(store.config().hugePages());
        assertEquals(250_000_000, store.config().lockTimeoutNs());
        assertEquals("jcache test:other", store.config().name());
    }

    @ParameterizedTest
    @CsvSource({"teff.memoryLimit, 1000000000, teff.memoryLimitBytes", "teff.memoryLimitBytes, 1 GB, 1 GB",
        "teff.memoryLimitBytes, 1, 4194304", "teff.debugLevel, loud, loud", "teff.hugePages, yes, true nor false",
        "teff.sweepMillis, 0, 1..86400000", "teff.lockTimeoutMillis, 86400001, 1..86400000",
        "teff.defragCpuPercent, 101, 0 to 100"})
    void property_unknown_isNamed(String name, String value, String hint) {
        CacheException e = assertThrows(CacheException.class, () -> opened(name, value));
        assertTrue(e.getMessage().contains(name), e.getMessage());
        assertTrue(e.getMessage().contains(hint), e.getMessage());
    }

    @Test
    void getProperties_changed_changesNothing() {
        test.manager.getProperties().setProperty("some", "thing");
        assertNull(test.manager.getProperties().getProperty("some"));
    }

    // ---- beans ----

    /** The second cache of one URI and name is not shown, and does not take the first one's bean away. */
    @Test
    void beans_ofOneNameTwice_areThoseOfTheFirst() throws Exception {
        ObjectName name = new ObjectName("javax.cache:type=CacheStatistics,CacheManager=test.one,Cache=twice");
        Cache<String, Integer> first = test.cache("twice", configuration().setStatisticsEnabled(true));
        try (URLClassLoader loader = new URLClassLoader(new URL[0]);
             CacheManager other = test.provider.getCacheManager(URI.create("test:one"), loader)) {
            other.createCache("twice", configuration().setStatisticsEnabled(true)).put("key", 1);
        }
        first.put("key", 1);
        first.put("key", 2);
        assertEquals(2L, ManagementFactory.getPlatformMBeanServer().getAttribute(name, "CachePuts"));
    }

    @Test
    void beans_ofOddNames_areRegisteredAndUnregistered() throws Exception {
        ObjectName all = new ObjectName("javax.cache:CacheManager=test.one,*");
        Cache<String, Integer> cache = test.cache("a:b=c,d", configuration().setStatisticsEnabled(true)
            .setManagementEnabled(true));
        Set<ObjectName> names = ManagementFactory.getPlatformMBeanServer().queryNames(all, null);
        assertEquals(2, names.size(), names.toString());
        cache.put("key", 1);
        ObjectName statistics = new ObjectName("javax.cache:type=CacheStatistics,CacheManager=test.one,Cache=a.b.c.d");
        assertEquals(1L, ManagementFactory.getPlatformMBeanServer().getAttribute(statistics, "CachePuts"));
        test.manager.close();
        assertEquals(Set.of(), ManagementFactory.getPlatformMBeanServer().queryNames(all, null));
    }
}
