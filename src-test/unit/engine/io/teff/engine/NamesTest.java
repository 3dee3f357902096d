package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.NamedRoot.Kind;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a named object is found again with its kind. Method: each kind, before and after a restore, each mistake. */
final class NamesTest {
    record Old(int cents) {}

    record Young(long cents) {}

    @TempDir
    Path folder;

    @Test
    void chunks_haveNames() {
        try (Store store = Store.open()) {
            assertTrue(store.names().all().isEmpty());
            assertEquals(0, store.stats().chunks());
            long cid = store.create(new byte[] {1});
            store.names().bind("root", cid);
            assertEquals(cid, store.names().get("root").orElseThrow().cid());
            long other = store.create(new byte[] {2});
            store.names().bind("root", other);
            assertEquals(other, store.names().get("root").orElseThrow().cid());
            store.map("map", String.class, String.class);
            assertThrows(IllegalArgumentException.class, () -> store.names().bind("map", cid));
            assertThrows(IllegalArgumentException.class, () -> store.names().bind("x", Cid.of(0, 999)));
            assertThrows(IllegalArgumentException.class, () -> store.map("root", String.class, String.class));
            assertEquals(Set.of("root", "map"), store.names().all().keySet());
            assertTrue(store.names().drop("root"));
            assertFalse(store.names().drop("root"));
            assertTrue(store.exists(other));
            assertTrue(store.names().get("root").isEmpty());
        }
    }

    @Test
    void collection_isTheSameObject_andRefusesOtherTypes() {
        try (Store store = Store.open()) {
            ChunkMap<String, Old> map = store.map("map", String.class, Old.class);
            assertSame(map, store.map("map", String.class, Old.class));
            IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
                () -> store.map("map", String.class, Young.class));
            assertTrue(refused.getMessage().contains("INT") && refused.getMessage().contains("LONG"),
                refused.getMessage());
            assertThrows(IllegalArgumentException.class, () -> store.set("map", Codecs.STRING));
            assertThrows(IllegalArgumentException.class, () -> store.longMap("map", Codecs.BYTES));
            assertEquals(Kind.MAP, store.names().get("map").orElseThrow().kind());
            assertTrue(store.names().drop("map"));
            store.map("map", String.class, Young.class).put("a", new Young(1));
            ChunkMap<Long, String> numbers = store.map("numbers", Codecs.LONG, Codecs.STRING);
            assertSame(numbers, store.longMap("numbers", Codecs.STRING));
        }
    }

    record Renamed(int cents) {}

    /** The open object casts to the class it was opened with. */
    @Test
    void collection_openUnderAnotherClassOfTheSameBytes_isRefusedUntilTheStoreIsOpenedAgain() throws IOException {
        Path file = folder.resolve("snapshot");
        try (Store store = Store.open()) {
            store.map("map", String.class, Old.class).put("a", new Old(5));
            store.list("list", Codecs.list(Schema.of(Old.class))).add(List.of(new Old(6)));
            store.set("set", Schema.of(Old.class)).add(new Old(7));
            for (Executable opening : List.<Executable>of(() -> store.map("map", String.class, Renamed.class),
                () -> store.list("list", Codecs.list(Schema.of(Renamed.class))),
                () -> store.set("set", Schema.of(Renamed.class)))) {
                IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, opening);
                assertTrue(refused.getMessage().contains("is open with"), refused::getMessage);
                assertTrue(refused.getMessage().contains(Renamed.class.getName()), refused::getMessage);
            }
            assertEquals(5, store.map("map", String.class, Old.class).getOrDefault("a", new Old(0)).cents());
            assertEquals(6, store.list("list", Codecs.list(Schema.of(Old.class))).getFirst().getFirst().cents());
            assertTrue(store.set("set", Old.class).contains(new Old(7)));
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            assertEquals(5, store.map("map", String.class, Renamed.class).getOrDefault("a", new Renamed(0)).cents());
        }
    }

    @Test
    void sortedMap_isRefusedWithAnotherKindOfOrder() {
        try (Store store = Store.open()) {
            ChunkSortedMap<String, Integer> natural = store.sortedMap("natural", Codecs.STRING, Codecs.INT);
            Comparator<String> backwards = Comparator.reverseOrder();
            store.sortedMap("backwards", Codecs.STRING, Codecs.INT, backwards);
            assertThrows(IllegalArgumentException.class,
                () -> store.sortedMap("natural", Codecs.STRING, Codecs.INT, backwards));
            assertThrows(IllegalArgumentException.class,
                () -> store.sortedMap("backwards", Codecs.STRING, Codecs.INT));
            assertSame(natural, store.sortedMap("natural", Codecs.STRING, Codecs.INT));
        }
    }

    /** Byte arrays have their own order, which the map returns as its comparator. */
    @Test
    void sortedMapOfBytes_isTheSameObject() {
        try (Store store = Store.open()) {
            ChunkSortedMap<byte[], Integer> map = store.sortedMap("map", Codecs.BYTES, Codecs.INT);
            assertSame(map, store.sortedMap("map", Codecs.BYTES, Codecs.INT));
        }
    }

    @Test
    void dropThatIsRefused_leavesTheSameObject() {
        try (Store store = Store.open()) {
            ChunkMap<String, Integer> map = store.map("map", Codecs.STRING, Codecs.INT);
            map.put("a", 1);
            assertThrows(IllegalStateException.class,
                () -> map.compute("a", (key, value) -> store.names().drop("map") ? 2 : 3));
            assertSame(map, store.map("map", Codecs.STRING, Codecs.INT));
            assertEquals(1, map.get("a"));
            assertTrue(store.names().drop("map"));
            assertThrows(IllegalStateException.class, () -> map.get("a"));
        }
    }

    /** The function looks up a name while a drop waits for the change that runs the function. */
    @Test
    void functionUnderAChange_asksForNames_whileTheMapIsDropped() throws InterruptedException {
        try (Store store = Store.open()) {
            ChunkMap<String, Integer> map = store.map("map", Codecs.STRING, Codecs.INT);
            Thread dropper = new Thread(() -> assertTrue(store.names().drop("map")), "dropper");
            AtomicReference<ChunkMap<String, Integer>> seen = new AtomicReference<>();
            map.compute("a", (key, value) -> {
                dropper.start();
                Threads.await("it waits for this change", () -> dropper.getState() == Thread.State.WAITING);
                store.map("other", Codecs.STRING, Codecs.INT).put("b", 2);
                seen.set(store.map("map", Codecs.STRING, Codecs.INT));
                assertFalse(store.names().drop("map"));
                return 1;
            });
            dropper.join();
            assertSame(map, seen.get());
            assertThrows(IllegalStateException.class, () -> map.get("a"));
            assertEquals(Set.of("other"), store.names().all().keySet());
            assertTrue(store.map("map", Codecs.STRING, Codecs.INT).isEmpty());
            store.audit();
        }
    }

    @Test
    void everything_isFoundAfterARestore() {
        Path file = folder.resolve("names.teff");
        try (Store store = Store.open()) {
            store.map("words", Codecs.STRING, Codecs.INT).putAll(Map.of("a", 1, "b", 2));
            ChunkLongMap<byte[]> numbers = store.longMap("numbers", Codecs.BYTES);
            for (long key = 0; key < 30_000; key++) {
                numbers.set(key, new byte[key % 1000 == 0 ? 2000 : 20]);
            }
            store.set("set", Codecs.STRING).addAll(Set.of("x", "y"));
            store.map("empty", Codecs.INT, Codecs.INT);
            store.snapshot(file);
        }
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            assertEquals(Set.of("words", "numbers", "set", "empty"), store.names().all().keySet());
            ChunkMap<String, Integer> words = store.map("words", Codecs.STRING, Codecs.INT);
            assertEquals(Map.of("a", 1, "b", 2), words);
            ChunkLongMap<byte[]> numbers = store.longMap("numbers", Codecs.BYTES);
            assertEquals(30_000, numbers.longSize());
            numbers.audit();
            assertEquals(2000, numbers.get(5000L).length);
            for (long key = 0; key < 60_000; key++) {
                numbers.set(key, new byte[30]);
            }
            numbers.audit();
            ChunkSet<String> set = store.set("set", Codecs.STRING);
            assertEquals(Set.of("x", "y"), set);
            set.audit();
            assertThrows(IllegalArgumentException.class, () -> store.map("words", Codecs.STRING, Codecs.LONG));
            store.audit();
        }
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            for (String name : store.names().all().keySet()) {
                assertTrue(store.names().drop(name));
            }
            assertTrue(store.stats().chunks() <= 258, "left: " + store.stats().chunks());
            store.audit();
        }
    }

    @Test
    void storeWithTheNidOfTheDirectory_hasNoNames() {
        try (Store store = Store.open(StoreConfig.builder().nid(Cid.NID_MAX).build())) {
            assertThrows(IllegalStateException.class, () -> store.names().all());
            assertThrows(IllegalStateException.class, () -> store.map("a", String.class, String.class));
        }
    }
}
