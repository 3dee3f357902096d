package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.NamedComparator;
import io.teff.engine.config.StoreConfig;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: collections of every kind that earlier versions have written are opened and read. Method: a snapshot that
 * version 1 has made by {@link #fill}, and one that version 2 has made by {@link #fillOrdered}.
 */
final class GoldenCollectionsTest {
    enum Colour { RED, BLUE }

    sealed interface Part permits Wheel, Door {}

    record Wheel(int inches) implements Part {}

    record Door(Colour colour, boolean open) implements Part {}

    record Car(String name, Colour colour, List<Part> parts, Map<String, Integer> prices, ZonedDateTime built) {}

    private static final Car FIRST = new Car("first", Colour.RED, List.of(new Wheel(17), new Door(Colour.BLUE, true)),
        new TreeMap<>(Map.of("net", 100, "gross", 119)),
        ZonedDateTime.ofInstant(Instant.ofEpochSecond(1_700_000_000), ZoneId.of("Europe/Berlin")));
    private static final Car SECOND = new Car("second", null, null, null, null);
    private static final Comparator<Car> BY_NAME = Comparator.comparing(Car::name);

    /** Puts values into collections of every kind. */
    static void fill(Store store) {
        store.map("map", String.class, Car.class).putAll(Map.of("1", FIRST, "2", SECOND));
        store.map("by colour", Colour.class, Integer.class).put(Colour.BLUE, 4);
        store.longMap("long map", Codecs.of(Car.class)).put(7L, FIRST);
        store.set("set", Codecs.of(Part.class)).addAll(FIRST.parts());
        store.list("list", Codecs.of(Car.class)).addAll(List.of(FIRST, SECOND, FIRST));
        store.queue("queue", Schema.builder(Car.class).compact().build()).addAll(List.of(SECOND, FIRST));
        store.sortedMap("sorted", Codecs.STRING, Codecs.of(Car.class)).putAll(Map.of("1", FIRST, "2", SECOND));
        store.sortedMap("compared", Codecs.of(Car.class), Codecs.BYTES, BY_NAME).put(FIRST, new byte[] {1, 2});
        store.sortedLongMap("sorted long", Codecs.of(Instant.class)).put(-5L, Instant.EPOCH);
    }

    static void check(Store store) {
        assertEquals(Map.of("1", FIRST, "2", SECOND), store.map("map", String.class, Car.class));
        assertEquals(Map.of(Colour.BLUE, 4), store.map("by colour", Colour.class, Integer.class));
        assertEquals(Map.of(7L, FIRST), store.longMap("long map", Codecs.of(Car.class)));
        assertEquals(Set.copyOf(FIRST.parts()), store.set("set", Codecs.of(Part.class)));
        assertEquals(List.of(FIRST, SECOND, FIRST), store.list("list", Codecs.of(Car.class)));
        assertEquals(List.of(SECOND, FIRST), new ArrayList<>(store.queue("queue", Schema.builder(Car.class).compact()
            .build())));
        assertEquals(Map.of("1", FIRST, "2", SECOND), store.sortedMap("sorted", Codecs.STRING, Codecs.of(Car.class)));
        assertEquals(FIRST, store.sortedMap("compared", Codecs.of(Car.class), Codecs.BYTES, BY_NAME).firstKey());
        assertEquals(Instant.EPOCH, store.sortedLongMap("sorted long", Codecs.of(Instant.class)).get(-5L));
        store.audit();
    }

    /** Makes a sorted map whose order has a name, which the entry of the directory has since version 2. */
    static void fillOrdered(Store store) {
        store.sortedMap("ordered", Codecs.of(Car.class), Codecs.BYTES, NamedComparator.of("by name", BY_NAME))
            .putAll(Map.of(FIRST, new byte[] {1}, SECOND, new byte[] {2}));
    }

    @Test
    void restore_snapshotOfVersion2_hasTheOrderOfItsMap(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("collections-v2.snapshot");
        try (InputStream golden = GoldenCollectionsTest.class.getResourceAsStream("/golden/collections-v2.snapshot")) {
            Files.copy(Objects.requireNonNull(golden), file);
        }
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            assertEquals("by name", store.names().get("ordered").orElseThrow().order());
            assertThrows(IllegalArgumentException.class, () -> store.sortedMap("ordered", Codecs.of(Car.class),
                Codecs.BYTES, NamedComparator.of("by colour", BY_NAME)));
            assertEquals(FIRST, store.sortedMap("ordered", Codecs.of(Car.class), Codecs.BYTES,
                NamedComparator.of("by name", BY_NAME)).firstKey());
            store.audit();
        }
    }

    @Test
    void restore_snapshotOfVersion1_hasItsCollections(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("collections-v1.snapshot");
        try (InputStream golden = GoldenCollectionsTest.class.getResourceAsStream("/golden/collections-v1.snapshot")) {
            Files.copy(Objects.requireNonNull(golden), file);
        }
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            check(store);
            fill(store);                                        // and are changed
            assertEquals(6, store.list("list", Codecs.of(Car.class)).size());
        }
    }
}
