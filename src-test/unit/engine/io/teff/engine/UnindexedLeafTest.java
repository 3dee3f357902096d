package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: gets and walks of a sorted map find all entries while leaves were split but not entered into their parent, as
 * between the two steps of each split.
 *
 * <p>Method: the parent is pinned, so an attempt to enter a new leaf into it is abandoned. Leaves at the front, in the
 * middle and at the end are split, some of them several times. Then each navigation from each key and from between
 * keys is compared with that of a TreeMap, with the pin and without it. Finally a writer must enter the leaves into
 * the parent.
 */
@Tag("modes")
final class UnindexedLeafTest {
    private static final int KEYS = 400;
    private static final long STEP = 1000;
    private static final int VALUE_BYTES = 32;
    private static final int TOP_AT = 16;

    private final Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build());

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    @Test
    void numbers_areFound() {
        ChunkSortedLongMap<byte[]> map = store.sortedLongMap("map", Codecs.BYTES);
        check(map, new TreeMap<>(), key -> key, model -> {
            List<Long> wanted = new ArrayList<>(model.keySet());
            List<Long> shown = new ArrayList<>();
            map.keyIterator().forEachRemaining((long key) -> shown.add(key));
            assertEquals(wanted, shown);
            for (long key : beside()) {
                assertEquals(orAbsent(model.ceilingKey(key)), map.ceilingKey(key, Long.MIN_VALUE), "ceiling of " + key);
                assertEquals(orAbsent(model.floorKey(key)), map.floorKey(key, Long.MIN_VALUE), "floor of " + key);
                assertEquals(orAbsent(model.higherKey(key)), map.higherKey(key, Long.MIN_VALUE), "higher than " + key);
                assertEquals(orAbsent(model.lowerKey(key)), map.lowerKey(key, Long.MIN_VALUE), "lower than " + key);
                shown.clear();
                map.forEachBytes(key, key + STEP, (number, bytes, offset, length) -> shown.add(number));
                assertEquals(List.copyOf(model.subMap(key, true, key + STEP, true).keySet()), shown, "from " + key);
            }
        });
    }

    private static long orAbsent(Long key) {
        return key == null ? Long.MIN_VALUE : key;
    }

    @Test
    void strings_areFound() {
        check(store.sortedMap("map", Codecs.STRING, Codecs.BYTES), new TreeMap<>(), UnindexedLeafTest::word,
            model -> {});
    }

    @Test
    void keysThatAreCompared_areFound() {
        Comparator<String> order = Comparator.comparing((String word) -> word.substring(9)).reversed();
        check(store.sortedMap("map", Codecs.STRING, Codecs.BYTES, order), new TreeMap<>(order), UnindexedLeafTest::word,
            model -> {});
    }

    private static String word(long key) {
        return String.format("%09d%09d", 999_999_999 - key, key);
    }

    /** A further comparison. */
    private interface Look<K> {
        void at(NavigableMap<K, byte[]> model);
    }

    private <K> void check(ChunkSortedMap<K, byte[]> map, NavigableMap<K, byte[]> model, LongFunction<K> keys,
                           Look<K> look) {
        for (long key = 1; key <= KEYS; key++) {
            put(map, model, keys.apply(key * STEP));
        }
        byte[] before = top();
        try (Pin pin = store.pins().pin(topCid())) {
            assertEquals(before.length, pin.segment().byteSize());
            for (long i = 1; i < STEP; i += 7) {
                put(map, model, keys.apply(i));
                put(map, model, keys.apply(KEYS / 2 * STEP + i));
                put(map, model, keys.apply(KEYS * STEP + i));
            }
            compare(map, model, keys);
            look.at(model);
        }
        compare(map, model, keys);
        look.at(model);
        map.audit();
        assertArrayEquals(before, top(), "the parent must be unchanged so far");
        for (long i = 2; i < STEP; i += 7) {
            put(map, model, keys.apply(i));
            put(map, model, keys.apply(KEYS / 2 * STEP + i));
            put(map, model, keys.apply(KEYS * STEP + i));
        }
        assertFalse(Arrays.equals(before, top()), "the next writers change the parent");
        compare(map, model, keys);
        map.audit();
    }

    private static <K> void put(ChunkSortedMap<K, byte[]> map, NavigableMap<K, byte[]> model, K key) {
        byte[] value = new byte[VALUE_BYTES];
        value[0] = (byte) key.hashCode();
        model.put(key, value);
        assertTrue(map.set(key, value));
    }

    private long topCid() {
        byte[] root = store.chunks().get(store.names().get("map").orElseThrow().cid()).orElseThrow();
        return ByteBuffer.wrap(root).order(ByteOrder.LITTLE_ENDIAN).getLong(TOP_AT);
    }

    private byte[] top() {
        return store.chunks().get(topCid()).orElseThrow();
    }

    /** Returns keys, and numbers between keys, where leaves were split and where not. */
    private static List<Long> beside() {
        List<Long> keys = new ArrayList<>();
        for (long base : new long[] {0, KEYS / 2 * STEP, KEYS * STEP}) {
            for (long i = -2; i <= STEP; i++) {
                keys.add(base + i);
            }
        }
        for (long key = 0; key <= KEYS + 1; key++) {
            keys.add(key * STEP);
        }
        return keys;
    }

    private static <K> void compare(ChunkSortedMap<K, byte[]> map, NavigableMap<K, byte[]> model,
                                    LongFunction<K> keys) {
        List<K> all = List.copyOf(model.keySet());
        assertEquals(all, List.copyOf(map.keySet()), "upwards");
        assertEquals(all.reversed(), List.copyOf(map.descendingKeySet()), "downwards");
        assertEquals(all, map.keySet().parallelStream().toList(), "in parts");
        assertEquals(model.firstKey(), map.firstKey());
        assertEquals(model.lastKey(), map.lastKey());
        for (long number : beside()) {
            K key = keys.apply(number);
            assertArrayEquals(model.get(key), map.get(key), () -> "get " + key);
            assertEquals(model.ceilingKey(key), map.ceilingKey(key), () -> "ceiling of " + key);
            assertEquals(model.floorKey(key), map.floorKey(key), () -> "floor of " + key);
            assertEquals(model.higherKey(key), map.higherKey(key), () -> "higher than " + key);
            assertEquals(model.lowerKey(key), map.lowerKey(key), () -> "lower than " + key);
            compareFew(model.tailMap(key, true).keySet(), map.tailMap(key, true).keySet(), key);
            compareFew(model.headMap(key, false).descendingKeySet(), map.headMap(key, false).descendingKeySet(), key);
        }
    }

    /** Compares the first keys of two walks. */
    private static <K> void compareFew(Iterable<K> wanted, Iterable<K> shown, K from) {
        Iterator<K> some = shown.iterator();
        int left = 2;
        for (K key : wanted) {
            assertEquals(key, some.next(), () -> "a walk from " + from);
            if (--left == 0) {
                return;
            }
        }
        assertFalse(some.hasNext(), () -> "a walk from " + from);
    }
}
