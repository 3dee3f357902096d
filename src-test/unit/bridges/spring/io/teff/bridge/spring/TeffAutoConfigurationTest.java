package io.teff.bridge.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.teff.bridge.micrometer.StoreMetrics;
import io.teff.cluster.ClusterStore;
import io.teff.engine.ChunkStore;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.StoreConfig;
import io.teff.recovery.DurableStore;
import io.teff.recovery.Level;
import io.teff.test.clusters.OneProcess;
import io.teff.test.kit.tier.FullTier;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/**
 * Goal: the properties say which store an application gets, and health and metrics follow the store. Method: contexts
 * of Spring Boot with the configurations of the starter alone, with beans of an application, and without some
 * libraries.
 */
final class TeffAutoConfigurationTest {
    private static final String SMALL = "teff.memory=64MB";

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withPropertyValues(SMALL)
        .withConfiguration(AutoConfigurations.of(TeffAutoConfiguration.class, TeffHealthAutoConfiguration.class,
            TeffMetricsAutoConfiguration.class));

    @TempDir
    private Path folder;

    private static Health health(ApplicationContext context) {
        return context.getBean("teffHealthIndicator", HealthIndicator.class).health();
    }

    @Test
    void context_withoutProperties_hasAStoreInMemory_andClosesTheStore() {
        Store[] seen = new Store[1];
        runner.withPropertyValues("teff.name=mine").run(context -> {
            seen[0] = context.getBean(Store.class);
            assertEquals("mine", seen[0].config().name());
            assertEquals(64 << 20, seen[0].config().memoryLimitBytes());
            long cid = seen[0].create(new byte[8]);
            assertEquals(8, seen[0].size(cid));
            assertEquals(Status.UP, health(context).getStatus());
            assertEquals(1L, health(context).getDetails().get("chunks"));
            seen[0].audit();
        });
        assertThrows(IllegalStateException.class, () -> seen[0].create(new byte[8]));
    }

    @Test
    void context_withAFolder_hasADurableStore_thatKeepsItsContent() {
        ApplicationContextRunner durable = runner.withPropertyValues("teff.mode=durable", "teff.level=synced",
            "teff.folder=" + folder.resolve("data"));
        durable.run(context -> {
            DurableStore store = context.getBean(DurableStore.class);
            assertEquals(Level.SYNCED, store.level());
            assertSame(store.store(), context.getBean(Store.class));
            context.getBean(Store.class).map("ages", Codecs.STRING, Codecs.INT).put("Ada", 36);
            assertEquals(Status.UP, health(context).getStatus());
            assertEquals("WRITABLE", health(context).getDetails().get("state").toString());
        });
        durable.run(context -> {
            assertEquals(36, context.getBean(Store.class).map("ages", Codecs.STRING, Codecs.INT).get("Ada"));
            context.getBean(Store.class).audit();
        });
    }

    @Test
    void health_ofAClosedDurableStore_isDown() {
        runner.withPropertyValues("teff.mode=durable", "teff.folder=" + folder.resolve("data")).run(context -> {
            context.getBean(DurableStore.class).close();
            assertEquals(Status.DOWN, health(context).getStatus());
        });
    }

    @FullTier("A cluster in this process. context_withAFolder_hasADurableStore_thatKeepsItsContent has another mode.")
    @Test
    void context_withSuperpeers_hasAClientOfTheCluster() throws Exception {
        try (OneProcess cluster = OneProcess.start("spring", folder)) {
            runner.withPropertyValues("teff.mode=cluster", "teff.timeout=10s", "teff.superpeers=" + cluster.address())
                .run(context -> {
                    ClusterStore store = context.getBean(ClusterStore.class);
                    assertSame(store, context.getBean(ChunkStore.class));
                    store.map("ages", Codecs.STRING, Codecs.INT).put("Ada", 36);
                    assertEquals(36, store.map("ages", Codecs.STRING, Codecs.INT).get("Ada"));
                    assertEquals(Status.UP, health(context).getStatus());
                    assertFalse(context.containsBean("teffStoreMetrics"));
                });
        }
    }

    @Test
    void storeOfTheApplication_comesFirst() {
        StoreConfig config = StoreConfig.builder().name("own").build();
        runner.withBean("own", Store.class, () -> Store.open(config)).run(context -> {
            assertEquals("own", context.getBean(Store.class).config().name());
            assertEquals(Status.UP, health(context).getStatus());
        });
    }

    @Test
    void metrics_areBoundToTheRegistriesOfTheApplication() {
        runner.withConfiguration(AutoConfigurations.of(MetricsAutoConfiguration.class))
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new).run(context -> {
                context.getBean(Store.class).create(new byte[8]);
                assertEquals(1, context.getBean(MeterRegistry.class).get("teff.store.chunks").gauge().value());
            });
    }

    @Test
    void missingLibraries_leaveOutHealthAndMetricsAndClients() {
        runner.withClassLoader(new FilteredClassLoader(HealthIndicator.class, StoreMetrics.class, ClusterStore.class))
            .run(context -> {
                assertNotNull(context.getBean(Store.class));
                assertFalse(context.containsBean("teffHealthIndicator"));
                assertFalse(context.containsBean("teffStoreMetrics"));
            });
    }

    @Test
    void switchedOffHealth_isLeftOut() {
        runner.withPropertyValues("management.health.teff.enabled=false").run(context ->
            assertFalse(context.containsBean("teffHealthIndicator")));
    }

    @Test
    void unknownMode_isRefused() {
        runner.withPropertyValues("teff.mode=elsewhere").run(context ->
            assertNotNull(context.getStartupFailure()));
    }

    /** Editors read the names and texts of the properties from this file. */
    @Test
    void metadata_nameEveryProperty() throws Exception {
        try (InputStream file = TeffProperties.class.getResourceAsStream(
            "/META-INF/spring-configuration-metadata.json")) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            List<String> named = Pattern.compile("\"name\": \"teff\\.(.*?)\"").matcher(text).results()
                .map(it -> it.group(1)).toList();
            assertEquals(Stream.of(TeffProperties.class.getRecordComponents()).map(RecordComponent::getName).toList(),
                named);
        }
    }
}
