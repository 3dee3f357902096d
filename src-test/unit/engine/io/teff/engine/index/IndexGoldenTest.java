package io.teff.engine.index;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.query.Field;
import io.teff.engine.query.IndexedMap;
import io.teff.engine.query.UniqueViolationException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: indexes that earlier versions have written are opened and used. Method: the bytes of a catalogue of version 1,
 * and a snapshot of a map with indexes that {@link #fill} has made.
 */
final class IndexGoldenTest {
    private static final String CATALOGUE = "index-catalogue-v1.hex";
    private static final String SNAPSHOT = "indexes-v1.snapshot";
    private static final int VERSION_AT = 4;
    private static final List<ListedIndex> LISTED = List.of(
        new ListedIndex("by age", "age:int", false, true, 0x3_0000_0000_0007L),
        new ListedIndex("by email", "email:string?", true, true, 0x3_0000_0000_0009L),
        new ListedIndex("nach Größe", "size:double,city:string?", false, false, -2));
    private static final int PEOPLE = 40;

    private record Person(int age, String email, double size, long since, boolean isMember, byte[] mark) {
        static final Field<Person, Integer> AGE = Field.of(Person.class, "age", int.class);
        static final Field<Person, String> EMAIL = Field.of(Person.class, "email", String.class);
        static final Field<Person, Double> SIZE = Field.of(Person.class, "size", double.class);
        static final Field<Person, Long> SINCE = Field.of(Person.class, "since", long.class);
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream in = IndexGoldenTest.class.getResourceAsStream("/golden/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static byte[] catalogue() throws IOException {
        return HexFormat.of().parseHex(new String(golden(CATALOGUE), StandardCharsets.US_ASCII).replaceAll("\\s", ""));
    }

    @Test
    void catalogueOfVersion1_isWrittenAndRead() throws IOException {
        assertArrayEquals(catalogue(), CatalogueLayout.write(LISTED));
        assertEquals(LISTED, CatalogueLayout.read(catalogue()));
    }

    @Test
    void catalogueOfALaterVersion_isRefused() throws IOException {
        byte[] later = catalogue();
        later[VERSION_AT]++;
        assertThrows(MalformedException.class, () -> CatalogueLayout.read(later));
        byte[] other = catalogue();
        other[0]++;
        assertThrows(MalformedException.class, () -> CatalogueLayout.read(other));
    }

    private static Person person(int number) {
        return new Person(number % 7 - 3, number % 5 == 0 ? null : "p" + number + "@example.org", number / -3.0,
            number * -1_000_000_007L, number % 2 == 0, new byte[number % 3 == 0 ? 700 : 3]);
    }

    private static ChunkMap<String, Person> map(Store store) {
        return store.map("people", Codecs.STRING, Codecs.of(Person.class));
    }

    private static IndexedMap<String, Person> declare(Store store) {
        return IndexedMap.of(map(store)).index("by age", Person.AGE).uniqueIndex("by email", Person.EMAIL)
            .index("by size", Person.SIZE, Person.SINCE);
    }

    /** Fills a store as the snapshot has it. */
    static void fill(Store store) {
        declare(store);
        for (int i = 0; i < PEOPLE; i++) {
            map(store).put("person " + i, person(i));
        }
    }

    @Test
    void snapshotOfVersion1_hasItsIndexes(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve(SNAPSHOT), golden(SNAPSHOT));
        try (Store store = Store.restore(file, StoreConfig.defaults())) {
            assertEquals(3, IndexedMap.of(map(store)).indexes().size());
            assertThrows(IllegalStateException.class, () -> map(store).remove("person 1"), "before its indexes");
            IndexedMap<String, Person> people = declare(store);
            people.audit();                                     // each place has the bytes that this version writes
            assertEquals(PEOPLE, map(store).longSize());
            assertEquals(12, people.where(Person.AGE.below(-1)).count());
            assertEquals("p8@example.org", people.where(Person.EMAIL.equalTo("p8@example.org")).stream().findFirst()
                .orElseThrow().email());
            assertTrue(people.where(Person.SIZE.between(-2.0, -1.0)).stream()
                .allMatch(it -> it.size() >= -2 && it.size() <= -1));
            assertThrows(UniqueViolationException.class, () -> map(store).put("another", person(8)));
            map(store).remove("person 8");                      // and are changed
            map(store).put("another", person(8));
            people.audit();
            store.audit();
        }
    }
}
