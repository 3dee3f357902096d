package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkSortedLongMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.test.kit.Seed;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: the unboxed methods of sorted maps return what a TreeMap returns. Method: both side by side. */
@Tag("modes")
final class ChunkSortedLongMapTest {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long NONE = -77;

    private final Store store = Store.open(StoreConfig.builder().memoryLimitBytes(256 << 20).build());
    private final ChunkSortedLongMap<byte[]> map = store.sortedLongMap("numbers", Codecs.BYTES);
    private final NavigableMap<Long, byte[]> model = new TreeMap<>();
    private final byte[] buffer = new byte[1024];

    @AfterEach
    void close() {
        map.audit();
        store.audit();
        store.close();
    }

    private static byte[] value(long key) {
        byte[] bytes = new byte[Math.floorMod(key, 41) == 0 ? 700 : Math.floorMod(key, 60)];
        Arrays.fill(bytes, (byte) key);
        return bytes;
    }

    private static long near(Long key) {
        return key == null ? NONE : key;
    }

    private void fill(int count, SplittableRandom random) {
        for (int i = 0; i < count; i++) {
            long key = random.nextInt(3) == 0 ? random.nextLong() : random.nextLong(-count, 3L * count);
            byte[] value = value(key);
            assertEquals(model.put(key, value) == null,
                i % 2 == 0 ? map.set(key, value) : map.setBytes(key, value, 0, value.length));
        }
    }

    @Test
    void operations_ofOneEntry_equalTreeMap() {
        SplittableRandom random = Seed.random(Seed.first());
        fill(4_000, random);
        for (int i = 0; i < 8_000; i++) {
            long key = random.nextLong(-4_000, 12_000);
            byte[] value = model.get(key);
            assertEquals(value != null, map.containsKey(key));
            assertArrayEquals(value, map.get(key));
            assertEquals(value == null ? Status.ABSENT : value.length, map.getBytes(key, buffer, 3));
            assertArrayEquals(value == null ? new byte[0] : value,
                value == null ? new byte[0] : Arrays.copyOfRange(buffer, 3, 3 + value.length));
            if (value != null && value.length > 9) {
                assertEquals((long) LONG.get(value, 2), map.getLong(key, 2, NONE));
                assertEquals(Status.TOO_SMALL, map.getBytes(key, buffer, buffer.length - value.length + 1));
                assertThrows(IndexOutOfBoundsException.class, () -> map.getLong(key, value.length - 7, NONE));
            }
            if (i % 4 == 0) {
                assertEquals(model.remove(key) != null, map.delete(key));
                assertEquals(NONE, map.getLong(key, 0, NONE));
                assertNull(map.get(key));
            }
        }
        assertEquals(model.size(), map.longSize());
        assertThrows(IndexOutOfBoundsException.class, () -> map.getBytes(0, buffer, buffer.length + 1));
        assertThrows(IndexOutOfBoundsException.class, () -> map.getBytes(0, buffer, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> map.setBytes(0, buffer, 1, buffer.length));
    }

    @Test
    void neighbours_areThoseOfTreeMap() {
        assertEquals(NONE, map.ceilingKey(0, NONE));
        assertEquals(NONE, map.lowerKey(0, NONE));
        SplittableRandom random = Seed.random(Seed.first());
        fill(3_000, random);
        model.put(Long.MAX_VALUE, value(1));
        map.set(Long.MAX_VALUE, value(1));
        model.put(Long.MIN_VALUE, value(2));
        map.set(Long.MIN_VALUE, value(2));
        for (int i = 0; i < 6_000; i++) {
            long key = i == 0 ? Long.MAX_VALUE : i == 1 ? Long.MIN_VALUE : random.nextLong(-4_000, 12_000);
            assertEquals(near(model.ceilingKey(key)), map.ceilingKey(key, NONE));
            assertEquals(near(model.floorKey(key)), map.floorKey(key, NONE));
            assertEquals(near(model.higherKey(key)), map.higherKey(key, NONE));
            assertEquals(near(model.lowerKey(key)), map.lowerKey(key, NONE));
        }
    }

    @Test
    void walks_overRanges_showWhatTreeMapHas() {
        SplittableRandom random = Seed.random(Seed.first());
        fill(5_000, random);
        for (int i = 0; i < 300; i++) {
            long from = i % 7 == 0 ? Long.MIN_VALUE : random.nextLong(-8_000, 16_000);
            long to = i % 5 == 0 ? Long.MAX_VALUE : from + random.nextLong(3_000);
            check(from, to);
        }
        Map.Entry<Long, byte[]> one = model.ceilingEntry(0L);
        check(one.getKey(), one.getKey());
        map.forEachBytes(5, 4, (_, _, _, _) -> {
            throw new AssertionError("the wrong way round is empty");
        });
    }

    private void check(long from, long to) {
        List<Long> keys = new ArrayList<>();
        map.forEachKey(from, to, keys::add);
        assertEquals(new ArrayList<>(model.subMap(from, true, to, true).keySet()), keys);
        List<Long> entries = new ArrayList<>();
        map.forEachEntry(from, to, (key, value) -> {
            assertArrayEquals(model.get(key), value);
            entries.add(key);
        });
        assertEquals(keys, entries);
        List<Long> shown = new ArrayList<>();
        map.forEachBytes(from, to, (key, bytes, offset, length) -> {
            assertArrayEquals(model.get(key), Arrays.copyOfRange(bytes, offset, offset + length));
            shown.add(key);
        });
        assertEquals(keys, shown);
    }

    @Test
    void walks_overAll_andTheIteratorRemoves() {
        fill(2_000, Seed.random(Seed.first()));
        check(Long.MIN_VALUE, Long.MAX_VALUE);
        List<Long> keys = new ArrayList<>();
        map.forEachKey(keys::add);
        assertEquals(new ArrayList<>(model.keySet()), keys);
        map.forEachEntry((key, value) -> assertArrayEquals(model.get(key), value));
        PrimitiveIterator.OfLong iterator = map.keyIterator();
        assertThrows(IllegalStateException.class, iterator::remove);
        while (iterator.hasNext()) {
            long key = iterator.nextLong();
            if (key % 2 == 0) {
                iterator.remove();
                assertThrows(IllegalStateException.class, iterator::remove);
                model.remove(key);
            }
        }
        assertThrows(NoSuchElementException.class, iterator::nextLong);
        check(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    @Test
    void sameName_isTheSameMap_unlessThereIsAComparator() {
        assertSame(map, store.sortedMap("numbers", Codecs.LONG, Codecs.BYTES));
        store.sortedMap("backwards", Codecs.LONG, Codecs.BYTES, Comparator.reverseOrder());
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class,
            () -> store.sortedLongMap("backwards", Codecs.BYTES));
        assertTrue(refused.getMessage().contains("comparator"), refused.getMessage());
        assertFalse(map.delete(1L));
    }
}
