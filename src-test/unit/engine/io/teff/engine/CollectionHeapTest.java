package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.raw.RawCollections;
import io.teff.engine.raw.RawMaps;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Threads;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: an open collection takes little of the Java heap, whatever has been done with it before, and a dropped
 * collection takes none. Method: collections of each kind are used and dropped, and weak references tell whether they
 * are garbage.
 */
final class CollectionHeapTest {
    private static final int COLLECTIONS = 1_000;
    private static final int THREADS = 4;
    /** Counters (8 KB) and the buckets of a split (12 KB of a map). With buffers and locks of its own: above 100 KB. */
    private static final long BYTES_MAX = 24 << 10;

    private final Store store = Store.open();
    private final ChunkStore zone = Zones.of(store).add(9);

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void droppedCollections_areGarbage() {
        Map<String, WeakReference<Object>> dropped = new TreeMap<>();
        for (ChunkStore each : List.of(store, zone)) {
            String of = each == store ? " of the store" : " of the zone";
            use(each);
            dropped.put("map" + of, new WeakReference<>(each.map("map", String.class, String.class)));
            dropped.put("set" + of, new WeakReference<>(each.set("set", String.class)));
            dropped.put("list" + of, new WeakReference<>(each.list("list", String.class)));
            dropped.put("queue" + of, new WeakReference<>(each.queue("queue", String.class)));
            dropped.put("sorted" + of, new WeakReference<>(each.sortedMap("sorted", String.class, String.class)));
            each.names().all().keySet().forEach(each.names()::drop);
        }
        RawCollections raw = RawCollections.of(zone);
        dropped.put("raw queue", new WeakReference<>(raw.queue("queue", "string")));
        dropped.put("raw list", new WeakReference<>(raw.list("list", "string")));
        dropped.put("raw sorted", new WeakReference<>(raw.sortedMap("sorted", "string", "string", "")));
        dropped.put("raw map", new WeakReference<>(RawMaps.of(zone).open("map", "string", "string", -1)));
        long root = raw.list("list", "string").root();
        zone.names().all().keySet().forEach(RawMaps.of(zone)::drop);
        assertNull(raw.at(root));
        Threads.await("no collection is held: " + dropped.keySet(), () -> {
            System.gc();
            dropped.values().removeIf(reference -> reference.refersTo(null));
            return dropped.isEmpty();
        });
        assertEquals(Map.of(), dropped);
    }

    private static void use(ChunkStore store) {
        store.map("map", String.class, String.class).put("a", "b");
        store.set("set", String.class).add("a");
        store.list("list", String.class).add("a");
        store.queue("queue", String.class).add("a");
        store.sortedMap("sorted", String.class, String.class).put("a", "b");
    }

    @Test
    void smallCollections_shareBuffers_andMakeLocksWhenNeeded() throws InterruptedException {
        useAll(0);                                              // loads the classes
        long before = heapBytes();
        List<Object> held = useAll(1);
        long bytes = (heapBytes() - before) / COLLECTIONS;
        assertEquals(COLLECTIONS, held.size());
        System.out.println("a small map and a small sorted map have " + bytes + " B of the heap");
        assertTrue(bytes < BYTES_MAX, () -> "a small map and a small sorted map have " + bytes + " B of the heap");
    }

    private List<Object> useAll(int round) throws InterruptedException {
        List<Object> held = new ArrayList<>();
        for (int i = 0; i < COLLECTIONS / 2; i++) {
            held.add(store.map("map" + round + "-" + i, String.class, String.class));
            held.add(store.sortedMap("sorted" + round + "-" + i, String.class, String.class));
        }
        Threads.runAll(THREADS, number -> {
            for (int i = 0; i < COLLECTIONS / 2; i++) {
                store.map("map" + round + "-" + i, String.class, String.class).put("key", "value " + number);
                store.sortedMap("sorted" + round + "-" + i, String.class, String.class).put("key", "value " + number);
            }
        });
        return held;
    }

    private static long heapBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
