package io.teff.engine.query;

import static io.teff.engine.query.Person.AGE;
import static io.teff.engine.query.Person.CENTS;
import static io.teff.engine.query.Person.CITY;
import static io.teff.engine.query.Person.EMAIL;
import static io.teff.engine.query.Person.INITIAL;
import static io.teff.engine.query.Person.MEMBER;
import static io.teff.engine.query.Person.SCORE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.Stores;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.MapLoader;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.error.StoreException;
import io.teff.engine.map.EntryPart;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: queries show what a filter over all entries shows, by the index that fits, and indexes live as their maps. */
final class IndexedMapTest {
    private static final int PERSONS = 500;
    private static final int AGES = 90;

    @TempDir
    private Path temporary;

    private final Store store = Stores.open();
    private final ChunkMap<Long, Person> map = store.map("people", Long.class, Person.class);
    private final IndexedMap<Long, Person> people = IndexedMap.of(map);

    @AfterEach
    void close() {
        if (store.isOpen()) {
            people.audit();
            map.audit();
            store.audit();
            store.close();
        }
    }

    private void fill() {
        for (int i = 0; i < PERSONS; i++) {
            map.put((long) i, Person.of(i, i * 31 % AGES));
        }
    }

    private List<String> expected(Predicate<Person> test) {
        return map.values().stream().filter(test).map(Person::email).sorted().toList();
    }

    private static List<String> shown(Query<Long, Person> query) {
        assertEquals(query.count(), query.stream().count());
        assertEquals(query.keys().sorted().toList(), query.entries().map(Map.Entry::getKey).sorted().toList());
        return query.stream().map(Person::email).sorted().toList();
    }

    // ---- queries ----

    private void checkQueries() {
        assertEquals(expected(it -> it.age() >= 20 && it.age() <= 30), shown(people.where(AGE.between(20, 30))));
        assertEquals(expected(it -> it.age() < 0), shown(people.where(AGE.below(0))));
        assertEquals(expected(it -> "city 3".equals(it.city())), shown(people.where(CITY.equalTo("city 3"))));
        assertEquals(expected(it -> it.city() == null), shown(people.where(CITY.isNull())));
        assertEquals(expected(it -> it.city() != null && it.city().compareTo("city 5") <= 0),
            shown(people.where(CITY.atMost("city 5"))));
        assertEquals(expected(it -> it.email().startsWith("12")), shown(people.where(EMAIL.startsWith("12"))));
        assertEquals(expected(it -> "city 3".equals(it.city()) && it.age() > 40 && it.isMember()),
            shown(people.where(CITY.equalTo("city 3")).and(AGE.above(40)).and(MEMBER.equalTo(true))));
        assertEquals(expected(it -> it.score() >= -50 && it.cents() % 2 == 1),
            shown(people.where(SCORE.atLeast(-50.0)).filter(it -> it.cents() % 2 == 1)));
        assertEquals(expected(it -> it.name().charAt(0) == 'n' && it.cents() == 7),
            shown(people.where(INITIAL.equalTo("n")).and(CENTS.equalTo(7L))));
        Comparator<Person> byAge = Comparator.comparingInt(Person::age);
        List<Integer> ages = map.values().stream().filter(it -> "city 2".equals(it.city())).sorted(byAge)
            .map(Person::age).toList();
        assertEquals(ages, people.where(CITY.equalTo("city 2")).orderedBy(AGE).stream().map(Person::age).toList());
        assertEquals(ages.reversed().subList(0, 5), people.where(CITY.equalTo("city 2")).orderedDescendingBy(AGE)
            .limit(5).stream().map(Person::age).toList());
        assertEquals(map.values().stream().map(Person::age).sorted().toList().subList(0, 9),
            people.all().orderedBy(AGE).limit(9).stream().map(Person::age).toList());
        assertEquals(3, people.all().limit(3).count());
        assertEquals(PERSONS, people.all().count());
    }

    @Test
    void queries_withoutIndexes_walkOverAllEntries() {
        fill();
        checkQueries();
        assertEquals("all entries of people; then age between 20 and 30, city = 'Ulm'; sorted on the heap by age; "
            + "first 10",
            people.where(AGE.between(20, 30)).and(CITY.equalTo("Ulm")).orderedBy(AGE).limit(10).explain());
    }

    @Test
    void queries_withIndexes_showTheSame() {
        fill();
        people.index("by age", AGE).index("by city and age", CITY, AGE).uniqueIndex("by email", EMAIL)
            .index("by initial", INITIAL).index("by score", SCORE).index("by cents", CENTS, MEMBER);
        checkQueries();
        assertEquals("index 'by age' of people: age between 20 and 30; then score >= 1.0; then 1 filter",
            people.where(AGE.between(20, 30)).and(SCORE.atLeast(1.0)).filter(Person::isMember).explain());
        assertEquals("index 'by city and age' of people: city = 'Ulm'; in the order of the index, descending",
            people.where(CITY.equalTo("Ulm")).orderedDescendingBy(AGE).explain());
        assertEquals("index 'by city and age' of people: city = 'Ulm', age < 7", people.where(AGE.below(7))
            .and(CITY.equalTo("Ulm")).toString());
        assertEquals("index 'by age' of people; in the order of the index", people.all().orderedBy(AGE).explain());
        assertEquals("7@example.org", people.where(EMAIL.equalTo("7@example.org")).first().orElseThrow().email());
    }

    /** Some fields of a person, one of them wider. */
    private record Part(long age, String email) {}

    @Test
    void projection_readsSomeFields() {
        fill();
        people.index("by age", AGE);
        List<Part> whole = map.values().stream().filter(it -> it.age() == 31).map(it -> new Part(it.age(), it.email()))
            .sorted(Comparator.comparing(Part::email)).toList();
        assertEquals(whole, people.where(AGE.equalTo(31)).project(Part.class).sorted(Comparator.comparing(Part::email))
            .toList());
        assertEquals(map.values().stream().map(Person::email).collect(Collectors.toSet()),
            people.all().project(Part.class).parallel().map(Part::email).collect(Collectors.toSet()));
    }

    // ---- changes ----

    @Test
    void everyKindOfChange_changesTheIndexes() {
        people.index("by age", AGE).uniqueIndex("by email", EMAIL);
        fill();
        people.audit();
        map.remove(3L);
        map.delete(4L);
        map.remove(5L, Person.of(5, 5 * 31 % AGES));
        map.compute(6L, (_, it) -> Person.of(6, 11));
        map.merge(7L, Person.of(7, 12), (_, other) -> other);
        map.replace(8L, Person.of(8, 13));
        map.putIfAbsent(3L, Person.of(3, 14));
        map.set(9L, Person.of(9, 15));
        map.entrySet().iterator().next().setValue(Person.of(100_000, 16));
        map.values().removeIf(it -> it.age() == 20);
        map.keySet().remove(11L);
        map.replaceAll((_, it) -> Person.of(Integer.parseInt(it.email().split("@", 2)[0]), it.age() + 1));
        people.audit();
        Map<Long, Person> more = new HashMap<>();
        for (int i = 0; i < PERSONS; i++) {
            more.put(1000L + i, Person.of(1000 + i, 50));
        }
        map.putAll(more);
        try (MapLoader<Long, Person> loader = map.loader(100)) {
            for (int i = 0; i < PERSONS; i++) {
                loader.add(2000L + i, Person.of(2000 + i, 51));
                loader.add(1000L + i, Person.of(1000 + i, 52));
            }
        }
        people.audit();
        assertEquals(map.values().stream().filter(it -> it.age() == 51).count(),
            people.where(AGE.equalTo(51)).count());
        assertThrows(IllegalStateException.class, () -> map.update(9L, editor -> editor.putByte(0, (byte) 1)));
        map.clear();
        people.audit();
        assertEquals(0, people.all().orderedBy(AGE).count());
    }

    @Test
    void keysOfOtherTypes_areFound() {
        ChunkMap<String, Integer> lengths = store.map("lengths", Codecs.STRING, Codecs.INT);
        IndexedMap<String, Integer> indexed = IndexedMap.of(lengths)
            .index("by value", Field.ofInt("value", Integer::intValue));
        ChunkMap<Integer, String> texts = store.map("texts", Codecs.INT, Codecs.STRING);
        IndexedMap<Integer, String> byText = IndexedMap.of(texts)
            .uniqueIndex("by text", Field.ofString("text", text -> text.isEmpty() ? null : text));
        for (String key : List.of("", "a", "bb", "b".repeat(300), "c")) {
            lengths.put(key, key.length());
            texts.put(-key.length() * (key.equals("c") ? 7 : 1), key);
        }
        lengths.apply("a", ValueChange.add(1));
        texts.put(1000, "");
        assertEquals(List.of("a", "bb"), indexed.where(Field.ofInt("value", Integer::intValue).equalTo(2)).keys()
            .sorted().toList());
        assertEquals(List.of(-7), byText.where(Field.<String>ofString("text", text -> text).equalTo("c")).keys()
            .toList());
        assertEquals(2, byText.where(Field.<String>ofString("text", text -> text).isNull()).count());
        indexed.audit();
        byText.audit();
    }

    @Test
    void uniqueIndex_secondEntry_isRefusedAndChangesNothing() {
        people.index("by age", AGE).uniqueIndex("by email", EMAIL);
        fill();
        UniqueViolationException thrown = assertThrows(UniqueViolationException.class,
            () -> map.put(9999L, Person.of(7, 33)));
        assertEquals("by email", thrown.index());
        assertEquals("email = '7@example.org'", thrown.key());
        assertFalse(map.containsKey(9999L));
        assertThrows(UniqueViolationException.class, () -> map.compute(8L, (_, _) -> Person.of(7, 33)));
        assertEquals(Person.of(8, 8 * 31 % AGES), map.get(8L));
        people.audit();
        map.put(7L, Person.of(7, 33));
        map.remove(7L);
        map.put(9999L, Person.of(7, 33));
        assertEquals(List.of(9999L), people.where(EMAIL.equalTo("7@example.org")).keys().toList());
    }

    @Test
    void uniqueIndex_onEqualFields_isNotBuilt() {
        fill();
        assertThrows(UniqueViolationException.class, () -> people.uniqueIndex("by age", AGE));
        assertEquals(List.of(), people.indexes());
        people.index("by age", AGE);
        assertEquals(List.of(new IndexInfo("by age", "age:int", false, true)), people.indexes());
    }

    @Test
    void functionThatThrows_changesNothing() {
        people.index("by initial", INITIAL);
        assertThrows(StringIndexOutOfBoundsException.class,
            () -> map.put(1L, new Person("", 1, null, "e", 1, 1, false)));
        assertTrue(map.isEmpty());
        assertThrows(IllegalArgumentException.class, () -> people.index("by email", Field.ofString("email",
            it -> it.email())).map().put(2L, new Person("n", 1, null, "e".repeat(1100), 1, 1, false)));
        assertTrue(map.isEmpty());
        people.audit();
    }

    // ---- life ----

    @Test
    void index_withOtherFields_isRefused() {
        people.index("by age", AGE);
        assertThrows(IllegalArgumentException.class, () -> people.index("by age", CENTS));
        assertThrows(IllegalArgumentException.class, () -> people.uniqueIndex("by age", AGE));
        assertThrows(IllegalArgumentException.class, () -> people.index("nothing"));
        assertThrows(IllegalArgumentException.class, () -> Field.of(Person.class, "age", long.class));
        assertThrows(IllegalArgumentException.class, () -> Field.of(Person.class, "size", int.class));
        assertThrows(IllegalArgumentException.class, () -> AGE.startsWith(1));
        assertThrows(IllegalArgumentException.class, AGE::isNull);
        people.index("by age", AGE);
        assertEquals(1, people.indexes().size());
    }

    @Test
    void droppedIndexes_leaveNoChunk() {
        fill();
        store.trim();
        long chunks = store.stats().chunks();
        people.index("by age", AGE).uniqueIndex("by email", EMAIL);
        assertTrue(people.dropIndex("by age"));
        assertFalse(people.dropIndex("by age"));
        assertEquals(List.of(new IndexInfo("by email", "email:string?", true, true)), people.indexes());
        map.put(5L, Person.of(5, 77));
        assertTrue(people.dropIndex("by email"));
        map.update(5L, editor -> editor.putByte(0, editor.getByte(0)));
        assertEquals(chunks, store.stats().chunks());
    }

    @Test
    void droppedMap_leavesNoIndex() {
        people.index("by age", AGE);
        fill();
        long before = store.stats().chunks();
        assertEquals(List.of("people"), List.copyOf(store.names().all().keySet()));
        assertTrue(store.names().drop("people"));
        assertTrue(store.names().all().isEmpty());
        assertTrue(store.stats().chunks() < before);
        assertThrows(IllegalStateException.class, () -> people.where(AGE.equalTo(1)).toList());
        ChunkMap<Long, Person> again = store.map("people", Long.class, Person.class);
        IndexedMap<Long, Person> indexed = IndexedMap.of(again);
        assertEquals(List.of(), indexed.indexes());
        again.put(1L, Person.of(1, 1));
        indexed.index("by age", AGE).audit();
        store.close();
    }

    @Test
    void restoredMap_refusesChanges_untilItsIndexesAreDeclared() {
        people.index("by age", AGE).uniqueIndex("by email", EMAIL);
        fill();
        store.snapshot(temporary.resolve("snapshot"));
        try (Store restored = Store.restore(temporary.resolve("snapshot"), Stores.small().build())) {
            ChunkMap<Long, Person> again = restored.map("people", Long.class, Person.class);
            IndexedMap<Long, Person> indexed = IndexedMap.of(again);
            assertEquals(List.of(new IndexInfo("by age", "age:int", false, false),
                new IndexInfo("by email", "email:string?", true, false)), indexed.indexes());
            assertEquals(Person.of(1, 31), again.get(1L));
            IllegalStateException refused = assertThrows(IllegalStateException.class,
                () -> again.put(1L, Person.of(1, 1)));
            assertTrue(refused.getMessage().contains("'by age' (age:int)"), refused.getMessage());
            assertThrows(IllegalStateException.class, again::clear);
            assertThrows(IllegalStateException.class, () -> indexed.index("by cents", CENTS));
            indexed.index("by age", AGE);
            assertEquals(people.where(AGE.equalTo(4)).count(), indexed.where(AGE.equalTo(4)).count());
            assertThrows(IllegalStateException.class, () -> again.remove(1L));
            assertTrue(indexed.dropIndex("by email"));
            again.put(1L, Person.of(2, 1));
            indexed.index("by cents", CENTS).audit();
        }
    }

    /** A writer that has not come to its last step leaves the place of the former fields. */
    @Test
    void placeOfFormerFields_isSkipped() {
        fill();
        people.index("by age", AGE);
        MapIndexes<Long, Person> indexes = MapIndexes.of(map);
        IndexTree<Person> tree = indexes.ready().getFirst();
        RowBuffers<Person> buffers = new RowBuffers<>(indexes.map().valueCodec());
        byte[] former = Objects.requireNonNull(indexes.raw().get(3L));
        byte[] fields = tree.sortKey().write(buffers.row.set(former, 0, former.length), buffers.key).toByteArray();
        byte[] key = indexes.entryKeys().kept(new EntryPart(new byte[] {3, 0, 0, 0, 0, 0, 0, 0}, 0, Long.BYTES));
        map.put(3L, Person.of(3, 8));
        assertTrue(tree.add(fields, key, buffers.row));
        assertEquals(1, people.where(AGE.between(0, 20)).keys().filter(it -> it == 3).count());
        assertThrows(StoreException.class, people::audit);
        tree.remove(fields, key);
    }

    /** A snapshot between the changes of a put has a place without its entry. */
    @Test
    void restoredIndex_withAPlaceTooMany_isRepaired() {
        people.uniqueIndex("by email", EMAIL);
        fill();
        MapIndexes<Long, Person> indexes = MapIndexes.of(map);
        IndexTree<Person> tree = indexes.ready().getFirst();
        RowBuffers<Person> scratch = new RowBuffers<>(indexes.map().valueCodec());
        byte[] value = Objects.requireNonNull(indexes.raw().get(3L));
        map.remove(3L);
        byte[] fields = tree.sortKey().write(scratch.row.set(value, 0, value.length), scratch.key).toByteArray();
        assertTrue(tree.add(fields, new byte[Long.BYTES], scratch.row));
        assertThrows(StoreException.class, people::audit);
        assertNull(people.where(EMAIL.equalTo("3@example.org")).first().orElse(null));
        store.snapshot(temporary.resolve("snapshot"));
        try (Store restored = Store.restore(temporary.resolve("snapshot"), Stores.small().build())) {
            ChunkMap<Long, Person> again = restored.map("people", Long.class, Person.class);
            IndexedMap.of(again).uniqueIndex("by email", EMAIL).audit();
            again.put(4000L, Person.of(3, 1));
        }
        tree.remove(fields, new byte[Long.BYTES]);
    }

    /** A newer version of {@link Person}. */
    private record Customer(String name, int age) {}

    @Test
    void migratedMap_buildsItsIndexesAgain() {
        people.index("by age", AGE);
        fill();
        store.snapshot(temporary.resolve("snapshot"));
        try (Store restored = Store.restore(temporary.resolve("snapshot"), Stores.small().build())) {
            assertTrue(restored.names().migrate("people", Codecs.LONG, Codecs.of(Customer.class), "Person.city",
                "Person.email", "Person.cents", "Person.score", "Person.isMember", "Customer.city", "Customer.email",
                "Customer.cents", "Customer.score", "Customer.isMember"));
            ChunkMap<Long, Customer> again = restored.map("people", Long.class, Customer.class);
            Field<Customer, Integer> age = Field.of(Customer.class, "age", int.class);
            IndexedMap<Long, Customer> indexed = IndexedMap.of(again).index("by age", age);
            indexed.audit();
            assertEquals(people.where(AGE.equalTo(4)).count(), indexed.where(age.equalTo(4)).count());
        }
    }
}
