package io.teff.bridge.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: the gauges of a collection say how many entries it has and what it takes, as long as it is there.
 *
 * <p>Method: collections of each kind; then dropped ones, made again, closed and forgotten.
 */
@Tag("modes")
final class CollectionMetricsTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void gauges_ofEachKind_sayItsSizeAndMemory() {
        try (Store store = Store.open()) {
            bindEachKind(store).forEach((name, collection) -> {
                assertEquals(500, entries(name));
                assertEquals(collection.memoryBytes(), memory(name));
                assertTrue(memory(name) > 1000);
            });
            store.list("list", Codecs.STRING).add("one more");
            assertEquals(501, entries("list"));
        }
    }

    private Map<String, ChunkCollection> bindEachKind(Store store) {
        for (int i = 0; i < 500; i++) {
            store.map("map", Codecs.STRING, Codecs.INT).put("key " + i, i);
            store.longMap("long map", Codecs.INT).set(i, i);
            store.sortedMap("sorted map", Codecs.LONG, Codecs.INT).put((long) i, i);
            store.set("set", Codecs.STRING).add("element " + i);
            store.list("list", Codecs.STRING).add("element");
            store.queue("queue", Codecs.STRING).add("element");
        }
        Map<String, ChunkCollection> all = Map.of("map", store.map("map", Codecs.STRING, Codecs.INT),
            "long map", store.longMap("long map", Codecs.INT),
            "sorted map", store.sortedMap("sorted map", Codecs.LONG, Codecs.INT),
            "set", store.set("set", Codecs.STRING), "list", store.list("list", Codecs.STRING),
            "queue", store.queue("queue", Codecs.STRING));
        all.forEach((name, collection) -> new CollectionMetrics(store, name, collection).bindTo(registry));
        return all;
    }

    @Test
    void meters_haveUnitsDescriptionsAndTags() {
        try (Store store = Store.open(StoreConfig.builder().name("mine").build())) {
            ChunkCollection map = store.sortedMap("ages", Codecs.STRING, Codecs.INT);
            new CollectionMetrics(store, "ages", map, Tags.of("region", "eu")).bindTo(registry);
            assertEquals(2, registry.getMeters().size());
            for (Meter meter : registry.getMeters()) {
                Meter.Id id = meter.getId();
                assertNotNull(id.getDescription());
                assertEquals(Tags.of("store", "mine", "collection", "ages", "kind", "sorted_map", "region", "eu"),
                    Tags.of(id.getTags()));
            }
            assertEquals("entries", registry.get("teff.collection.entries").meter().getId().getBaseUnit());
            assertEquals("bytes", registry.get("teff.collection.memory").meter().getId().getBaseUnit());
        }
    }

    @Test
    void prometheus_reads_namesUnitsAndFigures() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        try (Store store = Store.open(StoreConfig.builder().name("mine").build())) {
            ChunkMap<String, Integer> map = store.map("ages", Codecs.STRING, Codecs.INT);
            map.put("Ada", 36);
            new CollectionMetrics(store, "ages", map).bindTo(prometheus);
            String tags = "{collection=\"ages\",kind=\"map\",store=\"mine\"} ";
            String text = prometheus.scrape();
            assertTrue(text.contains("teff_collection_entries" + tags + "1.0\n"), text);
            assertTrue(text.contains("teff_collection_memory_bytes" + tags + (double) map.memoryBytes() + "\n"), text);
        }
    }

    @Test
    void gauges_ofDroppedCollections_areNotANumber() {
        try (Store store = Store.open()) {
            bindEachKind(store).keySet().forEach(name -> {
                assertTrue(store.names().drop(name));
                assertEquals(Double.NaN, entries(name), name);
                assertEquals(Double.NaN, memory(name), name);
            });
            store.map("map", Codecs.STRING, Codecs.INT).put("Grace", 85); // another one
            assertEquals(Double.NaN, entries("map"));
        }
    }

    @Test
    void gauges_ofAClosedStore_areNotANumber() {
        Store store = Store.open();
        Map<String, ChunkCollection> all = bindEachKind(store);
        store.close();
        all.keySet().forEach(name -> {
            assertEquals(Double.NaN, entries(name), name);
            assertEquals(Double.NaN, memory(name), name);
        });
    }

    @Test
    void binder_ofANameThatIsNotThere_isRefused() {
        try (Store store = Store.open()) {
            ChunkMap<String, Integer> map = store.map("ages", Codecs.STRING, Codecs.INT);
            assertThrows(NoSuchElementException.class, () -> new CollectionMetrics(store, "years", map));
        }
    }

    @Test
    void binderAndMeters_letTheStoreBeCollected() {
        CollectionMetrics[] binder = new CollectionMetrics[1];
        WeakReference<Store> store = forgotten(binder);
        Garbage.collectUntilCleared(store);
        assertNull(store.get());
        assertEquals(Double.NaN, entries("ages"));
        MeterRegistry later = new SimpleMeterRegistry();
        binder[0].bindTo(later);
        assertTrue(later.getMeters().isEmpty());
    }

    private WeakReference<Store> forgotten(CollectionMetrics[] binder) {
        Store store = Store.open();
        binder[0] = new CollectionMetrics(store, "ages", store.map("ages", Codecs.STRING, Codecs.INT));
        binder[0].bindTo(registry);
        store.close();
        return new WeakReference<>(store);
    }

    private double entries(String name) {
        return registry.get("teff.collection.entries").tag("collection", name).gauge().value();
    }

    private double memory(String name) {
        return registry.get("teff.collection.memory").tag("collection", name).gauge().value();
    }
}
