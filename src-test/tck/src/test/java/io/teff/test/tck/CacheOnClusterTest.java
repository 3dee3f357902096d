package io.teff.test.tck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.bridge.jcache.TeffCachingProvider;
import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.test.clusters.OneProcess;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.cache.Cache;
import javax.cache.CacheException;
import javax.cache.CacheManager;
import javax.cache.configuration.MutableConfiguration;
import javax.cache.expiry.Duration;
import javax.cache.expiry.ExpiryPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Caches in a cluster, in short: the gate runs the TCK on a store of the process alone, and {@code --full} runs the TCK
 * on a cluster, too.
 */
final class CacheOnClusterTest {
    @TempDir
    private static Path folder;

    private static OneProcess cluster;

    private final TeffCachingProvider provider = new TeffCachingProvider();

    @BeforeAll
    static void start() throws IOException {
        cluster = OneProcess.start("cache-on-cluster", folder);
    }

    @AfterAll
    static void close() throws IOException {
        cluster.close();
    }

    private CacheManager manager(String uri, String... more) {
        Properties properties = new Properties();
        properties.setProperty("teff.store", cluster.address());
        for (int i = 0; i < more.length; i += 2) {
            properties.setProperty(more[i], more[i + 1]);
        }
        return provider.getCacheManager(URI.create(uri), null, properties);
    }

    private static MutableConfiguration<String, Long> types() {
        return new MutableConfiguration<String, Long>().setTypes(String.class, Long.class);
    }

    @Test
    void caches_ofTwoManagers_areTheirOwn_andLeaveNothing() {
        try (CacheManager one = manager("app:one"); CacheManager other = manager("app:other");
             ClusterStore store = ClusterStore.connect(cluster.address())) {
            Cache<String, Long> sessions = one.createCache("sessions", types());
            sessions.put("a", 1L);
            sessions.putAll(Map.of("b", 2L, "c", 3L));
            assertEquals(Map.of("a", 1L, "c", 3L), sessions.getAll(Set.of("a", "c", "d")));
            assertFalse(sessions.putIfAbsent("a", 7L));
            assertTrue(sessions.replace("a", 1L, 4L));
            Long sum = sessions.invoke("a", (entry, _) -> {
                entry.setValue(entry.getValue() + 1);
                return entry.getValue();
            });
            assertEquals(5L, sum);
            assertNull(other.createCache("sessions", types()).get("a"));
            assertEquals(2, store.names().all().size());
            assertTrue(one.unwrap(ChunkStore.class) instanceof ClusterStore);
            sessions.removeAll(Set.of("b"));
            int[] left = new int[1];
            sessions.forEach(_ -> left[0]++);
            assertEquals(2, left[0]);
            provider.close();                                   // with its managers
            assertTrue(store.names().all().isEmpty(), "a closed manager has dropped its caches");
        }
    }

    @Test
    void managersOfUris_areClosedByThemselves_andBeginAnew() {
        try (CacheManager one = manager("app:first"); CacheManager other = manager("app:second")) {
            assertSame(one, provider.getCacheManager(URI.create("app:first"), null));
            Cache<String, Long> cache = one.createCache("cache", types());
            cache.put("a", 1L);
            other.createCache("cache", types()).put("a", 2L);
            provider.close(URI.create("app:first"), null);
            assertTrue(one.isClosed() && cache.isClosed() && !other.isClosed());
            assertThrows(IllegalStateException.class, () -> cache.get("a"));
            assertEquals(2L, other.getCache("cache", String.class, Long.class).get("a"));
            try (CacheManager again = manager("app:first")) {
                assertNotSame(one, again);
                assertNull(again.createCache("cache", types()).get("a"));
            }
        }
    }

    /** An entry lives for ever, until it is read. */
    private static final class SoonAfterAccess implements ExpiryPolicy {
        @Override
        public Duration getExpiryForCreation() {
            return Duration.ETERNAL;
        }

        @Override
        public Duration getExpiryForAccess() {
            return new Duration(TimeUnit.MILLISECONDS, 1);
        }

        @Override
        public Duration getExpiryForUpdate() {
            return Duration.ETERNAL;
        }
    }

    @Test
    void accesses_moveTheExpiry_atTheOwner() {
        try (CacheManager manager = manager("app:expiry", "teff.sweepMillis", "20")) {
            Cache<String, Long> cache = manager.createCache("expiring", types().setExpiryPolicyFactory(
                SoonAfterAccess::new));
            cache.put("a", 1L);
            assertTrue(cache.containsKey("a"));
            assertEquals(1L, cache.get("a"));                   // changes the time of expiry
            Threads.await("an expiry", () -> !cache.containsKey("a"));
            assertNull(cache.get("a"));
        }
    }

    @Test
    void properties_ofMemory_areRefused() {
        String text = assertThrows(CacheException.class, () -> manager("app:wrong", "teff.memoryLimitBytes", "9000000"))
            .getMessage();
        assertTrue(text.contains("teff.memoryLimitBytes") && text.contains("teff.store"), text);
        Properties nowhere = new Properties();
        nowhere.setProperty("teff.store", "nowhere:at-all");
        assertThrows(CacheException.class, () -> provider.getCacheManager(URI.create("app:nowhere"), null, nowhere));
    }
}
