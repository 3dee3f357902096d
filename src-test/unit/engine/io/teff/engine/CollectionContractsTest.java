package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedMap;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: collections answer like those of the JDK where a key is of another class or null, and can be opened with the
 * classes of their elements. Method: each codec of keys against objects of all other classes; a map of the JDK beside.
 */
final class CollectionContractsTest {
    private final Store store = Stores.open();

    /** A kind of keys whose classes share an interface. */
    sealed interface Figure permits Circle, Square {}

    record Circle(int radius) implements Figure {}

    record Square(int side) implements Figure {}

    record Version(int major, int minor) implements Comparable<Version> {
        @Override
        public int compareTo(Version other) {
            return Comparator.comparingInt(Version::major).thenComparingInt(Version::minor).compare(this, other);
        }
    }

    enum Color { RED, GREEN }

    private static final List<Object> KEYS = List.of(1L, 1, "key", new Circle(2), new Version(1, 2), Color.RED,
        new UUID(1, 2), LocalDate.EPOCH, new byte[]{1}, new long[]{1}, new String[]{"a"}, 1.5, 'c', true);

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    // ---- keys ----

    @Test
    void keyOfAnotherClass_isAbsent() {
        List<Class<?>> types = new ArrayList<>(KEYS.stream().map(Object::getClass).toList());
        types.add(Figure.class);
        for (Class<?> type : types) {
            Map<?, String> map = store.map(type.getName(), type, String.class);
            Set<?> set = store.set("set of " + type.getName(), type);
            for (Object key : KEYS) {
                if (!type.isInstance(key)) {
                    checkAbsent(map, key);
                    assertFalse(set.contains(key));
                    assertFalse(set.remove(key));
                    assertFalse(set.removeAll(List.of(key)));
                }
            }
        }
    }

    private static void checkAbsent(Map<?, String> map, Object key) {
        assertNull(map.get(key));
        assertFalse(map.containsKey(key));
        assertNull(map.remove(key));
        assertFalse(map.remove(key, "value"));
        assertFalse(map.keySet().contains(key));
        assertFalse(map.keySet().remove(key));
        assertFalse(map.keySet().removeAll(List.of(key)));
        assertFalse(map.entrySet().contains(Map.entry(key, "value")));
        assertFalse(map.entrySet().remove(Map.entry(key, "value")));
        assertFalse(map.equals(Map.of(key, "value")));
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void keyOfAnotherClass_isRefusedWhereTheJdkRefusesIt() {
        Map map = store.map("map", String.class, String.class);
        assertThrows(ClassCastException.class, () -> map.put(1, "value"));
        Map sorted = store.sortedMap("sorted", String.class, String.class);
        assertThrows(ClassCastException.class, () -> sorted.get(1));
        assertThrows(ClassCastException.class, () -> sorted.containsKey(1));
    }

    // ---- null ----

    @Test
    void null_isTreatedAsByTheMapsOfTheJdk() {
        List<Map<String, String>> maps = List.of(store.map("map", String.class, String.class),
            new ConcurrentHashMap<>(), store.sortedMap("sorted", String.class, String.class),
            new ConcurrentSkipListMap<>());
        for (Map<String, String> map : maps) {
            map.put("key", "value");
            assertThrows(NullPointerException.class, () -> map.containsValue(null));
            assertThrows(NullPointerException.class, () -> map.values().contains(null));
            assertThrows(NullPointerException.class, () -> map.containsKey(null));
            assertThrows(NullPointerException.class, () -> map.keySet().contains(null));
            assertThrows(NullPointerException.class, () -> map.get(null));
            assertThrows(NullPointerException.class, () -> map.put("key", null));
            assertThrows(NullPointerException.class, () -> map.values().removeIf(null));
            assertThrows(NullPointerException.class, () -> map.values().removeAll((List<?>) null));
            assertFalse(map.values().remove(null));
            assertFalse(map.remove("key", null));
            assertFalse(map.entrySet().contains(null));
            assertFalse(map.entrySet().remove(null));
        }
    }

    // ---- classes ----

    @Test
    void collections_areOpenedByClasses() {
        assertSame(store.longMap("long", Codecs.STRING), store.longMap("long", String.class));
        assertSame(store.sortedLongMap("sorted long", Codecs.STRING), store.sortedLongMap("sorted long", String.class));
        assertSame(store.sortedMap("sorted", Codecs.STRING, Codecs.INT),
            store.sortedMap("sorted", String.class, Integer.class));
        assertSame(store.set("set", Codecs.STRING), store.set("set", String.class));
        assertSame(store.list("list", Codecs.STRING), store.list("list", String.class));
        assertSame(store.queue("queue", Codecs.of(Version.class)), store.queue("queue", Version.class));
        ChunkSortedMap<Version, String> backwards = store.sortedMap("backwards", Version.class, String.class,
            Comparator.reverseOrder());
        backwards.put(new Version(1, 2), "a");
        backwards.put(new Version(2, 1), "b");
        assertEquals(new Version(2, 1), backwards.firstKey());
    }

    @Test
    void comparableKeys_areInTheirNaturalOrder() {
        checkNatural(Version.class, new Version(2, 1), new Version(1, 9), new Version(1, 10));
        checkNatural(LocalDate.class, LocalDate.EPOCH, LocalDate.MAX, LocalDate.MIN);
        checkNatural(Double.class, 2.5, Double.NEGATIVE_INFINITY, 10.0, -0.5);
        checkNatural(Color.class, Color.GREEN, Color.RED);
        checkNatural(Long.class, 5L, -5L, Long.MIN_VALUE);
        checkNatural(String.class, "b", "a", "");
        ChunkSortedMap<byte[], String> bytes = store.sortedMap("bytes", byte[].class, String.class);
        bytes.put(new byte[]{-1}, "b");
        bytes.put(new byte[]{1}, "a");
        assertEquals(List.of("a", "b"), List.copyOf(bytes.values()));
        assertThrows(IllegalArgumentException.class, () -> store.sortedMap("figures", Circle.class, String.class));
        assertThrows(IllegalArgumentException.class,
            () -> store.sortedMap("figures", Codecs.of(Version.class), Codecs.STRING));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private <K extends Comparable<? super K>> void checkNatural(Class<K> type, K... keys) {
        SortedMap<K, String> map = store.sortedMap("keys " + type, type, String.class);
        for (K key : keys) {
            map.put(key, "value of " + key);
        }
        List<K> sorted = new ArrayList<>(Arrays.asList(keys));
        Collections.sort(sorted);
        assertEquals(sorted, List.copyOf(map.keySet()));
        assertNull(map.comparator());
        assertSame(map, store.sortedMap("keys " + type, type, String.class));
    }
}
