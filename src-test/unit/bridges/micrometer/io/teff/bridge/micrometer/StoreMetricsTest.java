package io.teff.bridge.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.report.StoreStats;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the gauges of a store say what its statistics say, and never stand in the way of its end.
 *
 * <p>Method: gauges beside {@link Store#stats()}; the text that Prometheus reads; stores that are closed or forgotten.
 */
@Tag("modes")
final class StoreMetricsTest {
    private static final int CHUNKS = 1000;

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void gauges_ofAStore_sayWhatItsStatisticsSay() {
        try (Store store = filled("mine")) {
            new StoreMetrics(store).bindTo(registry);
            StoreStats stats = store.stats();
            assertEquals(CHUNKS, value("teff.store.chunks"));
            assertEquals(33 * CHUNKS, area("payload"));
            assertEquals(stats.wasteBytes(), area("waste"));
            assertEquals(stats.tableBytes(), area("table"));
            assertEquals(stats.freeSlotBytes(), area("free_slots"));
            assertEquals(stats.freeUnitBytes(), area("free_units"));
            assertEquals(stats.takenBytes(), value("teff.store.memory.taken"));
            assertEquals(stats.usedBytes(), value("teff.store.memory.used"));
            assertEquals(stats.committedBytes(), value("teff.store.memory.committed"));
            assertEquals(stats.limitBytes(), value("teff.store.memory.max"));
            assertEquals(stats.overheadPerChunk(), value("teff.store.chunk.overhead"));
            assertEquals(stats.reserved() ? 1 : 0, value("teff.store.memory.reserved"));
            assertTrue(area("waste") > 0 && area("table") > 0, stats.toString());
            double sum = registry.get("teff.store.memory").gauges().stream().mapToDouble(Gauge::value).sum();
            assertEquals(value("teff.store.memory.committed"), sum);
        }
    }

    @Test
    void gauges_ofAStore_followIt() {
        try (Store store = filled("mine")) {
            new StoreMetrics(store).bindTo(registry);
            long cid = store.create(100L);
            assertEquals(CHUNKS + 1, value("teff.store.chunks"));
            assertEquals(33 * CHUNKS + 100, area("payload"));
            store.remove(cid);
            assertEquals(CHUNKS, value("teff.store.chunks"));
        }
    }

    @Test
    void gauges_coverEveryFigureOfTheStatistics() {
        try (Store store = filled("mine")) {
            new StoreMetrics(store).bindTo(registry);
            Set<String> given = registry.getMeters().stream().map(Meter::getId)
                .map(id -> id.getTag("area") == null ? id.getName() : id.getTag("area")).collect(Collectors.toSet());
            // A new figure of StoreStats needs a gauge, or a reason to stand here.
            List<String> figures = Arrays.stream(StoreStats.class.getRecordComponents())
                .map(component -> component.getName().replace("Bytes", "")).toList();
            assertEquals(List.of("name", "nid", "chunks", "payload", "taken", "table", "used", "committed", "limit",
                "reserved"), figures);
            assertEquals(12, given.size(), given.toString());
        }
    }

    @Test
    void meters_haveUnitsDescriptionsAndTags() {
        try (Store store = filled("mine")) {
            new StoreMetrics(store, Tags.of("region", "eu")).bindTo(registry);
            for (Meter meter : registry.getMeters()) {
                Meter.Id id = meter.getId();
                assertTrue(id.getName().matches("teff\\.store(\\.[a-z]+)+"), id.getName());
                assertNotNull(id.getDescription(), id.getName());
                assertEquals("mine", id.getTag("store"), id.getName());
                assertEquals("eu", id.getTag("region"), id.getName());
                if (id.getName().startsWith("teff.store.memory") && !id.getName().endsWith("reserved")) {
                    assertEquals("bytes", id.getBaseUnit(), id.getName());
                }
            }
        }
    }

    @Test
    void prometheus_reads_namesUnitsAndFigures() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Store store = filled("mine");
        try (Store other = filled("other")) {
            new StoreMetrics(store).bindTo(prometheus);
            new StoreMetrics(other).bindTo(prometheus);
            List<String> lines = prometheus.scrape().lines().toList();
            assertTrue(lines.contains("# TYPE teff_store_chunks gauge"), lines.toString());
            assertTrue(lines.contains("# HELP teff_store_chunks Chunks in the store"), lines.toString());
            assertTrue(lines.contains("teff_store_chunks{store=\"mine\"} 1000.0"), lines.toString());
            assertTrue(lines.contains("teff_store_chunks{store=\"other\"} 1000.0"), lines.toString());
            assertTrue(lines.contains("teff_store_memory_bytes{area=\"payload\",store=\"mine\"} 33000.0"),
                lines.toString());
            assertTrue(lines.contains("teff_store_memory_max_bytes{store=\"mine\"} "
                + (double) store.stats().limitBytes()), lines.toString());
            store.close();
            lines = prometheus.scrape().lines().toList();
            assertTrue(lines.contains("teff_store_chunks{store=\"mine\"} NaN"), lines.toString());
            assertTrue(lines.contains("teff_store_chunks{store=\"other\"} 1000.0"), lines.toString());
        }
    }

    @Test
    void gauges_ofAClosedStore_areNotANumber() {
        Store store = filled("mine");
        new StoreMetrics(store).bindTo(registry);
        store.close();
        assertFalse(registry.getMeters().isEmpty());
        for (Meter meter : registry.getMeters()) {
            assertEquals(Double.NaN, ((Gauge) meter).value(), meter.getId().getName());
        }
        MeterRegistry later = new SimpleMeterRegistry();
        new StoreMetrics(store).bindTo(later);
        assertEquals(Double.NaN, later.get("teff.store.chunks").gauge().value());
    }

    @Test
    void binderAndMeters_ofAClosedStore_letItBeCollected() {
        StoreMetrics[] binder = new StoreMetrics[1];
        WeakReference<Store> store = forgotten(binder);
        Garbage.collectUntilCleared(store);
        assertNull(store.get());
        assertEquals(Double.NaN, value("teff.store.chunks"));
        MeterRegistry later = new SimpleMeterRegistry();
        binder[0].bindTo(later);
        assertTrue(later.getMeters().isEmpty());
    }

    private WeakReference<Store> forgotten(StoreMetrics[] binder) {
        Store store = filled("mine");
        binder[0] = new StoreMetrics(store);
        binder[0].bindTo(registry);
        store.close();
        return new WeakReference<>(store);
    }

    private static Store filled(String name) {
        Store store = Store.open(StoreConfig.builder().name(name).build());
        for (int i = 0; i < CHUNKS; i++) {
            store.create(33L);
        }
        return store;
    }

    private double value(String name) {
        return registry.get(name).gauge().value();
    }

    private double area(String area) {
        return registry.get("teff.store.memory").tag("area", area).gauge().value();
    }
}
