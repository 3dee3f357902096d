package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.NamedRoot.Kind;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Content;
import io.teff.test.kit.Seed;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: sorted maps keep each of their promises. Method: each promise once, at the sizes where the structure changes.
 */
@Tag("modes")
final class ChunkSortedMapTest {
    record Account(String owner, List<Integer> cents) {}

    @TempDir
    Path folder;

    private final Store store = Store.open(StoreConfig.builder().memoryLimitBytes(256 << 20).build());

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    private ChunkSortedMap<Long, byte[]> numbers() {
        return store.sortedMap("numbers", Codecs.LONG, Codecs.BYTES);
    }

    private ChunkSortedMap<String, Integer> words() {
        return store.sortedMap("words", Codecs.STRING, Codecs.INT);
    }

    @Test
    void objects_comeBackAsNewOnes() {
        ChunkSortedMap<String, Account> map = store.sortedMap("accounts", Codecs.STRING, Schema.of(Account.class));
        Account account = new Account("me", new ArrayList<>(List.of(1, 2)));
        assertNull(map.put("a", account));
        account.cents().add(3);
        assertEquals(new Account("me", List.of(1, 2)), map.get("a"));
        assertEquals(new Account("me", List.of(1, 2)), map.put("a", account));
        assertEquals(Map.of("a", account), map);
        map.computeIfPresent("a", (key, changed) -> {
            changed.cents().add(7);
            return changed;
        });
        assertEquals(List.of(1, 2, 3, 7), map.get("a").cents());
        map.audit();
    }

    @Test
    void growsAndShrinks_inAnyOrder_andKeepsEverything() {
        ChunkSortedMap<Long, byte[]> map = numbers();
        long empty = map.memoryBytes();
        int count = 60_000;
        long[] keys = new SplittableRandom(5).longs(count).distinct().toArray();
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < keys.length; i++) {
                assertTrue(map.set(keys[i], Content.of(32, keys[i])));
                if (i % 20_000 == 0) {
                    map.audit();
                }
            }
            map.audit();
            assertEquals(keys.length, map.longSize());
            double bytes = (double) map.memoryBytes() / keys.length;
            assertTrue(bytes < (round == 0 ? 85 : 64), "round " + round + ": bytes per entry " + bytes);
            for (long key : keys) {
                assertArrayEquals(Content.of(32, key), map.get(key));
            }
            assertNull(map.get(keys[0] + 1));
            for (int i = 0; i < keys.length; i++) {
                assertTrue(map.delete(keys[i]));
                if (i % 20_000 == 0) {
                    map.audit();
                }
            }
            map.audit();
            assertTrue(map.isEmpty());
            assertTrue(map.memoryBytes() < empty + 20_000, "shrinks: " + map.memoryBytes() + " after " + empty);
            Arrays.sort(keys);
        }
    }

    @Test
    void keysInOrder_fillTheLeaves() {
        ChunkSortedMap<Long, byte[]> map = numbers();
        for (long key = 0; key < 50_000; key++) {
            map.set(key, Content.of(32, key));
        }
        double bytes = map.memoryBytes() / 50_000.0;
        assertTrue(bytes < 48, "bytes per entry " + bytes);
        for (long key = 0; key < 50_000; key += 2) {
            map.delete(key);
        }
        map.audit();
        assertTrue(map.memoryBytes() < 50_000 * 28L, "half of the memory is reclaimed: " + map.memoryBytes());
    }

    @Test
    void clear_givesEverythingBack() {
        ChunkSortedMap<Long, byte[]> map = numbers();
        long empty = store.stats().chunks();
        long bytes = map.memoryBytes();
        for (int round = 0; round < 3; round++) {
            for (long key = 0; key < 20_000; key++) {
                map.set(key, Content.of(key % 100 == 0 ? 2000 : 40, key));
            }
            map.clear();
            map.audit();
            assertTrue(map.isEmpty());
            assertNull(map.get(5L));
        }
        assertTrue(store.stats().chunks() <= empty + 10, store.stats().chunks() + " chunks after " + empty);
        assertTrue(map.memoryBytes() < bytes + 2000, "left: " + map.memoryBytes());
        map.set(1L, Content.of(2000, 1));
        assertTrue(store.names().drop("numbers"));
        assertTrue(store.stats().chunks() < empty, "only the directory is left: " + store.stats().chunks());
        assertThrows(IllegalStateException.class, () -> map.get(5L));
        assertThrows(IllegalStateException.class, () -> map.set(5L, Content.of(1, 5)));
        assertThrows(IllegalStateException.class, map::size);
        assertThrows(IllegalStateException.class, map::firstKey);
    }

    @Test
    void memoryBytes_isWhatTheStoreHas() {
        long before = store.stats().chunks();
        ChunkSortedMap<Long, byte[]> map = numbers();
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 30_000; i++) {
            long key = random.nextLong(5000);
            if (random.nextInt(3) == 0) {
                map.delete(key);
            } else {
                map.set(key, Content.of(random.nextInt(700), key));
            }
        }
        map.audit();
        assertTrue(store.stats().chunks() > before);
    }

    @Test
    void values_ofAnyLength_inAndOutOfTheLeaf() {
        ChunkSortedMap<Long, byte[]> map = numbers();
        int[] lengths = {0, 1, 40, 503, 511, 512, 513, 600, 3000, 70_000, 40, 1_000_000, 0};
        for (long key = 0; key < 300; key++) {
            for (int i = 0; i < 3; i++) {
                map.set(key, Content.of(lengths[(int) (key + i * 5) % lengths.length], key));
            }
        }
        map.audit();
        for (long key = 0; key < 300; key++) {
            assertArrayEquals(Content.of(lengths[(int) (key + 10) % lengths.length], key), map.get(key), "key " + key);
        }
        map.forEach((key, bytes) ->
            assertArrayEquals(Content.of(lengths[(int) (key + 10) % lengths.length], key), bytes));
        for (long key = 0; key < 300; key++) {
            assertArrayEquals(Content.of(lengths[(int) (key + 10) % lengths.length], key), map.remove((Object) key));
        }
        map.audit();
    }

    @Test
    void valuesWithoutBytes_amongOthers() {
        ChunkSortedMap<Long, byte[]> map = numbers();
        TreeMap<Long, byte[]> model = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(2);
        for (int i = 0; i < 20_000; i++) {
            long key = random.nextLong(300);
            byte[] value = Content.of(random.nextInt(3) == 0 ? 100 : 0, key);
            if (random.nextBoolean()) {
                assertArrayEquals(model.put(key, value), map.put(key, value));
            } else {
                assertArrayEquals(model.remove(key), map.remove(key));
            }
            if (i % 100 == 0) {
                map.audit();
            }
        }
        model.forEach((key, value) -> assertArrayEquals(value, map.get(key)));
        assertEquals(model.keySet(), map.keySet());
    }

    @Test
    void keys_ofAnyLength_inTheOrderOfStrings() {
        ChunkSortedMap<String, Integer> map = words();
        TreeMap<String, Integer> model = new TreeMap<>();
        SplittableRandom random = new SplittableRandom(3);
        String chars = "ab\u0000\u007F\u0080\u00FF\u07FF\u0800\uD800\uDFFF\uFFFF";
        for (int i = 0; i < 6000; i++) {
            StringBuilder key = new StringBuilder();
            int length = random.nextInt(10) == 0 ? random.nextInt(340) : random.nextInt(12);
            for (int at = 0; at < length; at++) {
                key.append(chars.charAt(random.nextInt(chars.length())));
            }
            assertEquals(model.put(key.toString(), i), map.put(key.toString(), i));
        }
        map.audit();
        assertEquals(new ArrayList<>(model.entrySet()), new ArrayList<>(map.entrySet()));
        String longest = "x".repeat(ChunkSortedMap.KEY_BYTES_MAX);
        map.put(longest, 1);
        assertEquals(1, map.get(longest));
        assertThrows(IllegalArgumentException.class, () -> map.put(longest + "x", 1));
        assertNull(map.get(longest + "x"));
        assertEquals(longest, map.floorKey(longest + "x"));
        map.audit();
    }

    @Test
    void longKeysWithACommonBeginning_haveShortBounds() {
        ChunkSortedMap<String, Integer> map = words();
        String common = "y".repeat(900);
        for (int i = 0; i < 3000; i++) {
            map.put(common + i * 7919 % 3000, i);
        }
        map.audit();
        assertEquals(3000, map.size());
        assertEquals(3000, map.tailMap(common).size());
        assertTrue(map.headMap(common).isEmpty());
        map.clear();
        map.audit();
    }

    @Test
    void iteration_showsWhatStaysExactlyOnce_whileTheMapGrowsAndShrinks() {
        for (boolean upwards : new boolean[] {true, false}) {
            ChunkSortedMap<Long, byte[]> map = numbers();
            map.clear();
            int stable = 5000;
            for (long key = 0; key < stable; key++) {
                map.set(key * 1000, Content.of(300, key));
            }
            SplittableRandom random = new SplittableRandom(1);
            long expected = upwards ? 0 : stable - 1;
            List<Long> added = new ArrayList<>();
            for (long key : upwards ? map.keySet() : map.descendingKeySet()) {
                if (key % 1000 == 0) {
                    assertEquals(expected * 1000, key);
                    expected += upwards ? 1 : -1;
                    for (int i = 0; i < 20; i++) {
                        if (expected / 500 % 2 == 0) {
                            long other = random.nextLong(stable * 1000L) / 1000 * 1000 + 1 + random.nextInt(999);
                            map.set(other, Content.of(300, other));
                            added.add(other);
                        } else if (!added.isEmpty()) {
                            map.delete(added.removeLast());
                        }
                    }
                }
            }
            assertEquals(upwards ? stable : -1, expected);
            map.audit();
        }
    }

    @Test
    void iterator_removesAndSets() {
        ChunkSortedMap<String, Integer> map = words();
        for (int i = 0; i < 1000; i++) {
            map.put("k" + i, i);
        }
        for (Iterator<Map.Entry<String, Integer>> i = map.entrySet().iterator(); i.hasNext(); ) {
            Map.Entry<String, Integer> entry = i.next();
            if (entry.getValue() % 2 == 0) {
                i.remove();
                assertThrows(IllegalStateException.class, i::remove);
            } else {
                entry.setValue(-entry.getValue());
            }
        }
        assertEquals(500, map.size());
        map.forEach((key, number) -> assertEquals("k" + -number, key));
        map.replaceAll((key, number) -> -number);
        assertEquals(250_000, map.values().stream().mapToInt(Integer::intValue).sum());
        assertEquals(500, map.keySet().parallelStream().collect(Collectors.toSet()).size());
    }

    @Test
    void parts_arePartsOfTheMap() {
        ChunkSortedMap<Long, byte[]> map = numbers();
        for (long key = 0; key < 10_000; key++) {
            map.set(key * 2, Content.of(30, key));
        }
        assertEquals(1000, map.subMap(2000L, 4000L).size());
        assertEquals(1001, map.subMap(2000L, true, 4000L, true).size());
        assertEquals(999, map.subMap(2000L, false, 4000L, false).size());
        assertEquals(1000, map.descendingMap().subMap(3999L, 1999L).size());
        assertEquals(4000L, map.descendingMap().headMap(2001L).lastEntry().getKey() + 1998);
        assertThrows(IllegalArgumentException.class, () -> map.subMap(5L, 4L));
        assertThrows(IllegalArgumentException.class, () -> map.headMap(10L).put(10L, Content.of(1, 1)));
        assertThrows(IllegalArgumentException.class, () -> map.headMap(10L).tailMap(11L));
        assertThrows(NoSuchElementException.class, () -> map.tailMap(30_000L).firstKey());
        map.subMap(1000L, 19_000L).clear();
        assertEquals(1000, map.size());
        assertEquals(19_000L, map.higherKey(998L));
        assertEquals(998L, map.lowerKey(19_000L));
        map.audit();
    }

    @Test
    void parts_neitherTakeNorPutWhatIsOutside() {
        ChunkSortedMap<String, Integer> map = words();
        map.putAll(Map.of("a", 1, "k", 2, "z", 3));
        NavigableMap<String, Integer> part = map.subMap("b", true, "y", true);
        for (String key : List.of("a", "z")) {
            assertNull(part.remove(key));
            assertFalse(part.remove(key, map.get(key)));
            assertFalse(part.keySet().remove(key));
            assertNull(part.computeIfPresent(key, (_, _) -> null));
            assertNull(part.get(key));
            assertThrows(IllegalArgumentException.class, () -> part.put(key, 4));
            assertThrows(IllegalArgumentException.class, () -> part.merge(key, 4, Integer::sum));
            assertThrows(IllegalArgumentException.class, () -> part.replace(key, 4));
        }
        assertEquals(Map.of("a", 1, "k", 2, "z", 3), map);
        assertEquals(2, part.remove("k"));
    }

    @Test
    void spliterators_cutAnywhere_showEachEntryOnceInOrder() {
        ChunkSortedMap<String, Integer> words = words();
        ChunkSortedMap<String, Integer> byLength = store.sortedMap("by length", Codecs.STRING, Codecs.INT,
            Comparator.comparingInt(String::length).thenComparing(Comparator.reverseOrder()));
        for (int i = 0; i < 9_000; i++) {
            String key = "\u2603".repeat(i % 7) + Integer.toString(i * 7919, 36);
            words.put(key, i);
            byLength.put(key, i);
        }
        List<String> keys = new ArrayList<>(words.keySet());
        SplittableRandom random = Seed.random(Seed.first());
        for (int i = 0; i < 20; i++) {
            String from = keys.get(random.nextInt(keys.size() / 2));
            String to = keys.get(keys.size() / 2 + random.nextInt(keys.size() / 2));
            NavigableMap<String, Integer> part = words.subMap(from, i % 2 == 0, to, i % 3 == 0);
            assertTrue(checkCuts(part, random) > 1, "a large part can be cut");
            checkCuts(part.descendingMap(), random);
            checkCuts(byLength.headMap(to, true), random);
        }
        assertTrue(checkCuts(words, random) > 8);
        assertTrue(checkCuts(byLength.descendingMap(), random) > 8);
        assertEquals(1, checkCuts(words.subMap(keys.get(5), keys.get(8)), random));
        assertEquals(9_000, words.keySet().parallelStream().distinct().count());
        assertEquals(9_000L * 8_999 / 2, words.values().parallelStream().mapToLong(Integer::longValue).sum());
    }

    /** Splits and walks at random; returns the number of pieces. */
    private static int checkCuts(NavigableMap<String, Integer> map, SplittableRandom random) {
        List<Map.Entry<String, Integer>> expected = new ArrayList<>(map.entrySet());
        List<Map.Entry<String, Integer>> shown = new ArrayList<>();
        ArrayDeque<Spliterator<Map.Entry<String, Integer>>> pieces = new ArrayDeque<>();
        pieces.push(map.entrySet().spliterator());
        int count = 0;
        while (!pieces.isEmpty()) {
            Spliterator<Map.Entry<String, Integer>> last = pieces.pop();
            assertTrue(last.hasCharacteristics(Spliterator.SORTED | Spliterator.DISTINCT | Spliterator.CONCURRENT));
            boolean isWhole = count > 0 && random.nextInt(5) == 0;
            Spliterator<Map.Entry<String, Integer>> first = isWhole ? null : last.trySplit();
            if (first != null) {
                pieces.push(last);
                pieces.push(first);
                continue;
            }
            count++;
            for (int i = random.nextInt(3); i > 0; i--) {
                last.tryAdvance(shown::add);
            }
            assertTrue(last.estimateSize() >= 0);
            last.forEachRemaining(shown::add);
            assertFalse(last.tryAdvance(shown::add));
        }
        assertEquals(expected, shown);
        return count;
    }

    @Test
    void walksInsideOfWalks_doNotDisturbEachOther() {
        ChunkSortedMap<Long, byte[]> map = numbers();
        for (long key = 0; key < 300; key++) {
            map.put(key, Content.of(key % 50 == 0 ? 600 : 20, key));
        }
        Iterator<Long> forgotten = map.keySet().iterator();
        assertEquals(0L, forgotten.next());
        long count = 0;
        for (Map.Entry<Long, byte[]> outer : map.entrySet()) {
            assertArrayEquals(Content.of(outer.getKey() % 50 == 0 ? 600 : 20, outer.getKey()), outer.getValue());
            for (Long inner : map.tailMap(outer.getKey() - 2, true).headMap(outer.getKey(), true).keySet()) {
                assertArrayEquals(Content.of(inner % 50 == 0 ? 600 : 20, inner), map.get(inner));
                assertEquals(inner, map.ceilingKey(inner));
                count++;
            }
        }
        assertEquals(3 * 300 - 3, count);
        assertEquals(1L, forgotten.next());
    }

    @Test
    void comparator_saysTheOrder_andTheFirstKeyStays() {
        ChunkSortedMap<String, Integer> map = store.sortedMap("words", Codecs.STRING, Codecs.INT,
            String.CASE_INSENSITIVE_ORDER);
        assertNull(map.put("b", 1));
        assertNull(map.put("A", 2));
        assertEquals(2, map.put("a", 3));
        assertEquals(3, map.replace("A", 4));
        assertEquals(List.of("A", "b"), List.copyOf(map.keySet()));
        assertEquals(4, map.get("a"));
        for (int i = 0; i < 3000; i++) {
            map.put((i % 2 == 0 ? "k" : "K") + i / 2, i);
        }
        assertEquals(1502, map.size());
        assertEquals(2999, map.get("K1499"));
        assertTrue(map.containsKey("K1499") && map.firstKey().equals("A"));
        assertSame(String.CASE_INSENSITIVE_ORDER, map.comparator());
        map.audit();
    }

    @Test
    void keysWithoutOrder_needAComparator() {
        assertThrows(IllegalArgumentException.class,
            () -> store.sortedMap("accounts", Schema.of(Account.class), Codecs.INT));
        ChunkSortedMap<Account, Integer> map = store.sortedMap("accounts", Schema.of(Account.class), Codecs.INT,
            Comparator.comparing(Account::owner));
        map.put(new Account("b", List.of()), 1);
        map.put(new Account("a", List.of(5)), 2);
        assertEquals(new Account("a", List.of(5)), map.firstKey());
        map.audit();
    }

    @Test
    void map_isFoundAfterARestore_withItsOrder() {
        Path file = folder.resolve("sorted.teff");
        ChunkSortedMap<Long, byte[]> map = numbers();
        ChunkSortedMap<String, Integer> lengths = store.sortedMap("lengths", Codecs.STRING, Codecs.INT,
            Comparator.comparingInt(String::length));
        for (long key = 0; key < 30_000; key++) {
            map.set(key * 7919 % 30_000, Content.of(key % 1000 == 0 ? 2000 : 20, key));
        }
        for (int i = 0; i < 500; i++) {
            lengths.put("x".repeat(i), i);
        }
        assertSame(map, numbers());
        assertEquals(Kind.SORTED_MAP, store.names().get("numbers").orElseThrow().kind());
        assertThrows(IllegalArgumentException.class, () -> store.map("numbers", Codecs.LONG, Codecs.BYTES));
        store.snapshot(file);
        try (Store other = Store.restore(file, StoreConfig.defaults())) {
            ChunkSortedMap<Long, byte[]> restored = other.sortedMap("numbers", Codecs.LONG, Codecs.BYTES);
            assertEquals(30_000, restored.longSize());
            assertEquals(map.memoryBytes(), restored.memoryBytes());
            long expected = 0;
            for (long key : restored.keySet()) {
                assertEquals(expected++, key);
            }
            restored.audit();
            assertThrows(IllegalArgumentException.class, () -> other.sortedMap("lengths", Codecs.STRING, Codecs.INT));
            assertThrows(StoreException.class,
                () -> other.sortedMap("lengths", Codecs.STRING, Codecs.INT, Comparator.reverseOrder()));
            assertEquals(500, other.sortedMap("lengths", Codecs.STRING, Codecs.INT,
                Comparator.comparingInt(String::length)).size());
            other.audit();
        }
        try (Store other = Store.restore(file, StoreConfig.defaults())) {
            assertTrue(other.names().drop("numbers"));
            assertTrue(other.names().drop("lengths"));
            assertTrue(other.stats().chunks() <= 258, "left: " + other.stats().chunks());
            other.audit();
        }
    }

    @Test
    void function_thatChangesTheMap_isRefusedAndNothingIsLost() {
        ChunkSortedMap<String, Integer> map = words();
        map.put("a", 1);
        for (String other : List.of("a", "b", "c")) {
            assertThrows(IllegalStateException.class, () -> map.compute("a", (key, number) -> map.put(other, 3)));
            assertThrows(IllegalStateException.class, () -> map.read("a", view -> map.delete(other)));
        }
        assertThrows(IllegalStateException.class, () -> map.merge("a", 2, (left, right) -> {
            map.clear();
            return 1;
        }));
        assertEquals(Map.of("a", 1), map);
        assertEquals(5, map.compute("a", (key, number) -> map.get("a") + 4));
        assertThrows(ArithmeticException.class, () -> map.compute("a", (key, number) -> {
            throw new ArithmeticException();
        }));
        assertEquals(6, map.merge("a", 1, Integer::sum));
        map.audit();
    }

    @Test
    void readAndUpdate_seeTheValueInPlace() {
        ChunkSortedMap<String, byte[]> map = store.sortedMap("bytes", Codecs.STRING, Codecs.BYTES);
        for (int length : new int[] {8, 200, 5000}) {
            map.put("a long key of some bytes", new byte[length]);
            for (int i = 0; i < 500; i++) {
                map.put("other" + i, new byte[i]);
            }
            assertTrue(map.update("a long key of some bytes", editor -> {
                assertEquals(length, editor.length());
                editor.putLong(length - 8, 42);
                assertThrows(IndexOutOfBoundsException.class, () -> editor.putByte(length, (byte) 1));
            }));
            AtomicLong seen = new AtomicLong();
            assertTrue(map.read("a long key of some bytes", view -> seen.set(view.getLong(length - 8))));
            assertEquals(42, seen.get());
            assertEquals(42, map.get("a long key of some bytes")[length - 8]);
        }
        assertFalse(map.read("b", view -> {
            throw new AssertionError();
        }));
        assertFalse(map.update("b", view -> {
            throw new AssertionError();
        }));
        map.audit();
    }

    @Test
    void nullsAndForeignKeys_areRefused() {
        ChunkSortedMap<String, Integer> map = words();
        map.put("a", 1);
        assertThrows(NullPointerException.class, () -> map.put(null, 1));
        assertThrows(NullPointerException.class, () -> map.put("a", null));
        assertThrows(NullPointerException.class, () -> map.get(null));
        assertThrows(NullPointerException.class, () -> map.putIfAbsent("a", null));
        assertThrows(NullPointerException.class, () -> map.headMap(null));
        assertThrows(NullPointerException.class, () -> map.floorKey(null));
        Object foreign = 5;
        assertThrows(ClassCastException.class, () -> map.get(foreign));
        assertFalse(map.entrySet().contains(Map.entry("a", 2)));
        assertTrue(map.entrySet().contains(Map.entry("a", 1)));
        assertFalse(map.remove("a", "1"));
        assertEquals(1, map.get("a"));
    }

    @Test
    void fullStore_refusesAndLosesNothing() {
        try (Store small = Store.open(StoreConfig.builder().memoryLimitBytes(8 << 20).build())) {
            ChunkSortedMap<Long, byte[]> map = small.sortedMap("numbers", Codecs.LONG, Codecs.BYTES);
            long count = 0;
            StoreException refused = null;
            while (refused == null) {
                try {
                    map.set(Long.reverse(count), Content.of(count % 50 == 0 ? 1000 : 40, count));
                    count++;
                } catch (StoreException e) {
                    refused = e;
                }
            }
            assertEquals(StoreException.Category.DEGRADED, refused.category());
            assertTrue(count > 50_000, "count " + count);
            map.audit();
            small.audit();
            for (long key = 0; key < count; key++) {
                assertArrayEquals(Content.of(key % 50 == 0 ? 1000 : 40, key), map.get(Long.reverse(key)));
            }
            for (long key = 0; key < count; key += 2) {
                map.delete(Long.reverse(key));
            }
            map.audit();
            assertTrue(map.set(-1L, Content.of(40, 1)));
        }
    }

    @Test
    void closedStore_throws() {
        Store other = Store.open();
        ChunkSortedMap<String, Integer> map = other.sortedMap("words", Codecs.STRING, Codecs.INT);
        map.put("a", 1);
        other.close();
        assertThrows(StoreClosedException.class, () -> map.get("a"));
        assertThrows(StoreClosedException.class, () -> map.put("a", 2));
        assertThrows(StoreClosedException.class, () -> map.remove("a"));
        assertThrows(StoreClosedException.class, map::firstKey);
        assertThrows(StoreClosedException.class, () -> map.forEach((key, number) -> { }));
    }

    @Test
    void nodeThatAUserRemoved_isReported() {
        try (Store other = Store.open()) {
            ChunkSortedMap<Long, byte[]> broken = other.sortedMap("numbers", Codecs.LONG, Codecs.BYTES);
            for (long key = 0; key < 1000; key++) {
                broken.set(key, Content.of(40, 1));
            }
            other.ids().forEach(cid -> {
                if (Cid.nid(cid) == 0) {
                    other.remove(cid);
                }
            });
            assertThrows(StoreException.class, () -> broken.set(1L, Content.of(8, 1)));
            assertThrows(StoreException.class, () -> broken.get(1L));
            assertThrows(StoreException.class, broken::audit);
        }
    }
}
