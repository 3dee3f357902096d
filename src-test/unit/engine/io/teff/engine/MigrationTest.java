package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Formerly;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.JournaledStores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a collection outlives the versions of its types: renamed classes need nothing, other changes need one call that
 * rewrites it, or leaves it as it was. Method: a snapshot between two versions, every kind of collection, every
 * prefix of what a migration records, and each reason to refuse.
 */
final class MigrationTest {
    private static final int ENTRIES = 300;
    /** Syncs of a migration, before it removes what it has replaced. */
    private static final int MIGRATION_SYNCS = 3;

    enum Colour { RED, BLUE }

    enum Paint { GREEN, @Formerly("RED") CRIMSON, BLUE }

    enum OnlyBlue { BLUE }

    enum More { RED, BLUE, GREEN }

    record Car(String name, Colour colour, int cents, boolean gone) {}

    /** Fields reordered, added, removed and widened, constants reordered and renamed. */
    record Vehicle(long cents, Paint colour, List<String> parts, @Formerly("name") String title) {}

    record SameCar(String name, Colour colour, int cents, boolean gone) {}

    record MoreCar(String name, More colour, int cents, boolean gone) {}

    record NewName(String title, Colour colour, int cents, boolean gone) {}

    record BlueCar(String name, OnlyBlue colour) {}

    record Id(int major, int minor) {}

    record Major(int major) {}

    private static final Comparator<Car> BY_CENTS = Comparator.comparingInt(Car::cents);
    private static final Comparator<Vehicle> BY_LONG_CENTS = Comparator.comparingLong(Vehicle::cents);
    /** The field of a car that a vehicle does not have. */
    private static final String GONE = "Vehicle.gone";

    @TempDir
    Path folder;

    private static StoreConfig config() {
        return StoreConfig.builder().memoryLimitBytes(64L << 20).build();
    }

    private static Car car(int i) {
        return new Car("car " + i, i % 3 == 0 ? null : Colour.values()[i % 2], i, true);
    }

    private static Vehicle vehicle(int i) {
        return new Vehicle(i, i % 3 == 0 ? null : i % 2 == 0 ? Paint.CRIMSON : Paint.BLUE, List.of(), "car " + i);
    }

    private static <T> Codec<T> codec(Class<T> type) {
        return Codecs.of(type);
    }

    /** Ends the process that has the collections open, and starts another one. */
    private Store restarted(Store store) {
        Path file = folder.resolve(store.stats().chunks() + "-" + System.identityHashCode(store) + ".snapshot");
        store.snapshot(file);
        store.close();
        return Store.restore(file, config());
    }

    private static void fill(Store store) {
        for (int i = 0; i < ENTRIES; i++) {
            store.map("map", String.class, Car.class).put("k" + i, car(i));
            store.longMap("long map", codec(Car.class)).put((long) i, car(i));
            store.map("keys", Car.class, Integer.class).put(car(i), i);
            store.set("set", codec(Car.class)).add(car(i));
            store.list("list", codec(Car.class)).add(car(i));
            store.queue("queue", codec(Car.class)).add(car(i));
            store.sortedMap("sorted", Codecs.STRING, codec(Car.class)).put("k" + i, car(i));
            store.sortedMap("ints", Codecs.INT, codec(Car.class)).put(-i, car(i));
            store.sortedMap("compared", codec(Car.class), Codecs.INT, BY_CENTS)
                .put(car(i), i);
        }
    }

    private static void migrate(Store store) {
        Names names = store.names();
        assertTrue(names.migrate("map", Codecs.STRING, codec(Vehicle.class), GONE));
        assertTrue(names.migrate("long map", Codecs.LONG, codec(Vehicle.class), GONE));
        assertTrue(names.migrate("keys", codec(Vehicle.class), Codecs.LONG, GONE));
        assertTrue(names.migrate("set", codec(Vehicle.class), GONE));
        assertTrue(names.migrate("list", codec(Vehicle.class), GONE));
        assertTrue(names.migrate("queue", codec(Vehicle.class), GONE));
        assertTrue(names.migrate("sorted", Codecs.STRING, codec(Vehicle.class), GONE));
        assertTrue(names.migrate("ints", Codecs.LONG, codec(Vehicle.class), GONE));
        assertTrue(names.migrate("compared", codec(Vehicle.class), Codecs.INT,
            BY_LONG_CENTS, GONE));
    }

    private static void check(Store store) {
        Map<String, Vehicle> map = store.map("map", String.class, Vehicle.class);
        Map<Long, Vehicle> longMap = store.longMap("long map", codec(Vehicle.class));
        Map<Vehicle, Long> keys = store.map("keys", Vehicle.class, Long.class);
        Set<Vehicle> set = store.set("set", codec(Vehicle.class));
        List<Vehicle> list = store.list("list", codec(Vehicle.class));
        Queue<Vehicle> queue = store.queue("queue", codec(Vehicle.class));
        Map<String, Vehicle> sorted = store.sortedMap("sorted", Codecs.STRING, codec(Vehicle.class));
        Map<Long, Vehicle> ints = store.sortedLongMap("ints", codec(Vehicle.class));
        Map<Vehicle, Integer> compared = store.sortedMap("compared", codec(Vehicle.class), Codecs.INT,
            BY_LONG_CENTS);
        List<Vehicle> queued = new ArrayList<>(queue);
        for (int i = 0; i < ENTRIES; i++) {
            Vehicle expected = vehicle(i);
            assertEquals(expected, map.get("k" + i));
            assertEquals(expected, longMap.get((long) i));
            assertEquals(i, keys.get(expected));
            assertTrue(set.contains(expected));
            assertEquals(expected, list.get(i));
            assertEquals(expected, queued.get(i));
            assertEquals(expected, sorted.get("k" + i));
            assertEquals(expected, ints.get((long) -i));
            assertEquals(i, compared.get(expected));
        }
        assertEquals(List.of(ENTRIES, ENTRIES, ENTRIES, ENTRIES, ENTRIES, ENTRIES, ENTRIES, ENTRIES, ENTRIES),
            List.of(map.size(), longMap.size(), keys.size(), set.size(), list.size(), queue.size(), sorted.size(),
                ints.size(), compared.size()));
        assertEquals(9, store.names().all().size());
        store.audit();
    }

    @Test
    void migrate_everyKindOfCollection_hasItsContentInTheNewVersion() {
        Store store = Store.open(config());
        fill(store);
        store = restarted(store);
        long chunksBefore = store.stats().chunks();
        migrate(store);
        check(store);
        assertTrue(store.stats().chunks() < chunksBefore * 1.1, "the replaced collections are removed");
        store = restarted(store);
        assertFalse(store.names().migrate("map", Codecs.STRING, codec(Vehicle.class), GONE));
        check(store);
        store.map("map", String.class, Vehicle.class).put("new", vehicle(7));
        store.close();
    }

    @Test
    void open_sameBytes_needsNoMigration() {
        Store store = Store.open(config());
        fill(store);
        store = restarted(store);
        assertEquals(new SameCar("car 1", Colour.BLUE, 1, true), store.map("map", String.class, SameCar.class)
            .get("k1"));
        assertEquals(More.BLUE, store.list("list", codec(MoreCar.class)).get(1).colour());
        store.list("list", codec(MoreCar.class)).add(new MoreCar("x", More.GREEN, 1, false));
        String refused = assertThrows(IllegalArgumentException.class, () -> store("queue", NewName.class)).getMessage();
        assertTrue(refused.contains("NewName.name") && !refused.contains("migrate()"), refused);
        store = restarted(store);
        Store last = store;
        assertThrows(IllegalArgumentException.class, () -> last.list("list", codec(Car.class)), "has GREEN");
        assertEquals(More.GREEN, store.list("list", codec(MoreCar.class)).get(ENTRIES).colour());
        store.close();
    }

    private <T> void store(String name, Class<T> type) {
        try (Store store = Store.open(config())) {
            store.queue(name, codec(Car.class));
            store.queue(name, codec(type));
        }
    }

    /** A crash after each record: the map is the old one or the new one, and nothing else is left. */
    @Test
    void migrate_interruptedAnywhere_hasOneVersionWhole() {
        RecordingJournal journal = new RecordingJournal();
        int before;
        try (Store store = JournaledStores.open(Store.class, config(), journal, restorer -> { })) {
            for (int i = 0; i < 40; i++) {
                store.map("map", String.class, Car.class).put("k" + i, car(i));
            }
            before = journal.size();
        }
        RecordingJournal second = new RecordingJournal();
        try (Store store = journal.restore(before, config(), journal)) {
            assertTrue(store.names().migrate("map", Codecs.STRING, codec(Vehicle.class), GONE));
        }
        assertEquals(3, journal.syncs.size());
        assertTrue(journal.syncs.get(0) < journal.syncs.get(1) && journal.syncs.get(1) < journal.syncs.get(2)
            && journal.syncs.get(2) < journal.size(), "a sync before each step: " + journal.syncs);
        int old = 0;
        for (int count = before; count <= journal.size(); count++) {
            try (Store store = journal.restore(count, config(), second)) {
                boolean isOld = store.names().get("map").orElseThrow().values().contains("gone");
                old += isOld ? 1 : 0;
                assertEquals(isOld, count < journal.size() && store.names().migrate("map", Codecs.STRING,
                    codec(Vehicle.class), GONE));
                Map<String, Vehicle> map = store.map("map", String.class, Vehicle.class);
                for (int i = 0; i < 40; i++) {
                    assertEquals(vehicle(i), map.get("k" + i));
                }
                assertEquals(40, map.size());
                assertEquals(Set.of("map"), store.names().all().keySet());
                store.names().drop("map");
                assertTrue(store.stats().chunks() < 300 || count == before + 1, "only the directory is left, or a copy "
                    + "that had no name yet: " + store.stats().chunks());
            }
        }
        assertTrue(old > 40 && old < journal.size() - before, "both versions occurred");
    }

    // ---- refusals ----

    private static void same(Store store) {
        assertEquals(car(5), store.map("map", String.class, Car.class).get("k5"));
        assertEquals(ENTRIES, store.map("map", String.class, Car.class).size());
    }

    @Test
    void migrate_whatCannotBeRead_changesNothing() {
        Store store = Store.open(config());
        fill(store);
        try (Store next = restarted(store)) {
            Names names = next.names();
            long chunks = next.stats().chunks();
            assertThrows(MalformedException.class, () -> names.migrate("map", Codecs.STRING, codec(BlueCar.class),
                "BlueCar.cents", "BlueCar.gone"));
            assertThrows(SchemaException.class, () -> names.migrate("map", Codecs.STRING, codec(Id[].class)));
            assertThrows(SchemaException.class, () -> names.migrate("map", Codecs.LONG, codec(Car.class)));
            assertThrows(SchemaException.class, () -> names.migrate("sorted", Codecs.LONG, codec(Car.class)));
            assertThrows(IllegalArgumentException.class, () -> names.migrate("map", codec(Car.class)));
            assertThrows(IllegalArgumentException.class, () -> names.migrate("list", Codecs.STRING, codec(Car.class)));
            assertThrows(IllegalArgumentException.class, () -> names.migrate("none", Codecs.STRING, codec(Car.class)));
            assertEquals(chunks, next.stats().chunks());
            same(next);
            assertThrows(IllegalStateException.class, () -> names.migrate("map", Codecs.STRING, codec(Vehicle.class),
                GONE));
            same(next);
        }
    }

    @Test
    void migrate_keysThatBecomeEqual_changesNothing() {
        Store store = Store.open(config());
        store.map("ids", Id.class, String.class).putAll(Map.of(new Id(1, 1), "a", new Id(1, 2), "b"));
        store.set("set", codec(Id.class)).addAll(List.of(new Id(1, 1), new Id(1, 2), new Id(2, 1)));
        try (Store next = restarted(store)) {
            String message = assertThrows(IllegalStateException.class, () ->
                next.names().migrate("ids", codec(Major.class), Codecs.STRING, "Major.minor")).getMessage();
            assertTrue(message.startsWith("1 of 2 entries"), message);
            assertThrows(IllegalStateException.class, () -> next.names().migrate("set", codec(Major.class),
                "Major.minor"));
            assertEquals("b", next.map("ids", Id.class, String.class).get(new Id(1, 2)));
            assertEquals(3, next.set("set", codec(Id.class)).size());
            assertEquals(Set.of("ids", "set"), next.names().all().keySet());
        }
    }

    @Test
    void migrate_withoutMemoryForACopy_changesNothing() {
        Store store = Store.open(config());
        for (int i = 0; i < ENTRIES; i++) {
            store.map("map", String.class, Car.class).put("k" + i, car(i));
        }
        try (Store next = restarted(store)) {
            byte[] ballast = new byte[1 << 20];
            long first = next.create(ballast);
            long[] all = LongStream.generate(() -> next.create(ballast)).takeWhile(cid -> cid >= 0)
                .toArray();
            for (int length = 1 << 18; length > 0; length /= 2) {
                while (next.create(new byte[length]) >= 0) {
                    assertTrue(next.stats().chunks() > 0);
                }
            }
            assertThrows(StoreException.class, () ->
                next.names().migrate("map", Codecs.STRING, codec(Vehicle.class), GONE));
            assertEquals(Set.of("map"), next.names().all().keySet());
            next.remove(first);
            assertTrue(all.length > 0 && next.names().migrate("map", Codecs.STRING, codec(Vehicle.class), GONE));
            assertEquals(vehicle(5), next.map("map", String.class, Vehicle.class).get("k5"));
        }
    }

    /** Reads as another codec does, and runs an action meanwhile. */
    private record Acting<T>(Codec<T> codec, Runnable action) implements Codec<T> {
        @Override
        public void write(T value, Output out) {
            codec.write(value, out);
        }

        @Override
        public T read(Input in) {
            action.run();
            return codec.read(in);
        }

        @Override
        public Codec<T> readerOf(String written) {
            return new Acting<>(codec.readerOf(written), action);
        }

        @Override
        public long fingerprint() {
            return codec.fingerprint();
        }

        @Override
        public String describe() {
            return codec.describe();
        }

        @Override
        public boolean hasBytesOf(String written) {
            return codec.hasBytesOf(written);
        }
    }

    @Test
    void migrate_meanwhile_otherCollectionsAreUsable() {
        Store store = Store.open(config());
        fill(store);
        try (Store next = restarted(store)) {
            List<String> seen = new ArrayList<>();
            assertTrue(next.names().migrate("map", Codecs.STRING, new Acting<>(codec(Vehicle.class), () -> {
                assertThrows(IllegalStateException.class, () -> next.map("map", String.class, Car.class));
                assertThrows(IllegalStateException.class, () -> next.names().drop("map"));
                assertThrows(IllegalStateException.class, () ->
                    next.names().migrate("map", Codecs.STRING, codec(Vehicle.class), GONE));
                seen.add(next.list("list", codec(Car.class)).get(seen.size()).name());
                assertEquals(9, next.names().all().size());
            })));
            assertEquals(ENTRIES, seen.size());
            assertEquals(vehicle(5), next.map("map", String.class, Vehicle.class).get("k5"));
        }
    }

    /** One thread migrates; the others find the map migrated or get an exception. */
    @Test
    void migrate_byManyThreads_isDoneOnce() throws InterruptedException {
        for (int round = 0; round < 20; round++) {
            Store store = Store.open(config());
            store.map("map", String.class, Car.class).putAll(Map.of("k5", car(5), "k6", car(6)));
            try (Store next = restarted(store)) {
                AtomicInteger migrated = new AtomicInteger();
                Codec<Vehicle> codec = codec(Vehicle.class);
                List<Thread> threads = new ArrayList<>();
                List<Throwable> failures = new CopyOnWriteArrayList<>();
                for (int i = 0; i < 4; i++) {
                    var builder = Thread.ofPlatform().uncaughtExceptionHandler((thread, e) -> failures.add(e));
                    threads.add(builder.start(() -> {
                        while (true) {
                            try {
                                migrated.addAndGet(next.names().migrate("map", Codecs.STRING, codec, GONE) ? 1 : 0);
                                assertEquals(vehicle(5), next.map("map", Codecs.STRING, codec).get("k5"));
                                return;
                            } catch (IllegalStateException e) {
                                assertTrue(e.getMessage().contains("is being migrated"), e.getMessage());
                            }
                        }
                    }));
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                assertEquals(List.of(), failures);
                assertEquals(1, migrated.get());
                assertEquals(2, next.map("map", Codecs.STRING, codec).size());
                next.names().drop("map");
                assertTrue(next.stats().chunks() < 300, "chunks=" + next.stats().chunks());
            }
        }
    }

    /** A map that is opened then would keep the memory of the old one. */
    @Test
    void open_whileAMigrationRemovesTheOldMap_isRefused() {
        RecordingJournal journal = new RecordingJournal();
        try (Store store = JournaledStores.open(Store.class, config(), journal, _ -> { })) {
            store.map("map", String.class, Car.class).putAll(Map.of("k5", car(5), "k6", car(6)));
        }
        RecordingJournal next = new RecordingJournal();
        try (Store store = journal.restore(journal.size(), config(), next)) {
            AtomicInteger refused = new AtomicInteger();
            next.atRoom.set(new Runnable() {
                @Override
                public void run() {
                    if (next.syncs.size() == MIGRATION_SYNCS) { // the new map has its name
                        assertThrows(IllegalStateException.class,
                            () -> store.map("map", String.class, Vehicle.class));
                        refused.incrementAndGet();
                    }
                    next.atRoom.set(this);
                }
            });
            assertTrue(store.names().migrate("map", Codecs.STRING, codec(Vehicle.class), GONE));
            next.atRoom.set(null);
            assertTrue(refused.get() > 0, "nothing was removed");
            assertEquals(vehicle(5), store.map("map", String.class, Vehicle.class).get("k5"));
            assertTrue(store.names().drop("map"));
            assertTrue(store.stats().chunks() < 300, "chunks=" + store.stats().chunks());
        }
    }

    // ---- hand-written codecs ----

    /** A codec whose class was moved, and that knows an older form of its bytes. */
    private record Cents(boolean isOld) implements Codec<Long> {
        @Override
        public void write(Long value, Output out) {
            if (isOld) {
                out.putInt(value.intValue());
            } else {
                out.putLong(value);
            }
        }

        @Override
        public Long read(Input in) {
            return isOld ? in.getInt() : in.getLong();
        }

        @Override
        public long fingerprint() {
            return isOld ? 0xCE01 : 0xCE02;
        }

        @Override
        public String describe() {
            return (isOld ? "old.package.Cents " : "new.package.Cents ") + Long.toHexString(fingerprint());
        }

        @Override
        public Codec<Long> readerOf(String written) {
            return new Cents(true).hasBytesOf(written) ? new Cents(true) : Codec.super.readerOf(written);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void handWrittenCodec_thatWasMoved_isTheSame(boolean isMigrated) {
        Store store = Store.open(config());
        store.list("cents", new Cents(true)).addAll(List.of(5L, -7L));
        try (Store next = restarted(store)) {
            if (isMigrated) {
                assertThrows(IllegalArgumentException.class, () -> next.list("cents", new Cents(false)));
                assertTrue(next.names().migrate("cents", new Cents(false)));
                assertEquals(List.of(5L, -7L), next.list("cents", new Cents(false)));
                assertThrows(SchemaException.class, () -> new Cents(false).readerOf("other.Cents ce03"));
            } else {
                Codec<Long> moved = new Acting<>(new Cents(true), () -> { });
                assertTrue(moved.hasBytesOf("third.package.Cents ce01"));
                assertEquals(List.of(5L, -7L), next.list("cents", moved));
            }
        }
    }

    @Test
    void hasBytesOf_schemas_comparesAllButClassNames() {
        String car = Schema.of(Car.class).description();
        assertTrue(Schema.of(SameCar.class).hasBytesOf(car));
        assertTrue(Schema.of(MoreCar.class).hasBytesOf(car));
        assertFalse(Schema.of(Car.class).hasBytesOf(Schema.of(MoreCar.class).description()));
        assertFalse(Schema.of(NewName.class).hasBytesOf(car));
        assertFalse(Schema.of(Vehicle.class).hasBytesOf(car));
        assertFalse(Schema.builder(Car.class).compact().build().hasBytesOf(car));
        assertFalse(Schema.of(Car.class).hasBytesOf("string"));
        assertFalse(Codecs.BYTES.hasBytesOf("string"));
        assertFalse(Schema.of(Car.class).hasBytesOf("a.b.Codec 17"));
    }
}
