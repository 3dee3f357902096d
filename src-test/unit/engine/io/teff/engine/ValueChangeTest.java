package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.collect.ValueChange;
import io.teff.engine.raw.RawFunction;
import io.teff.test.kit.Seed;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ready-made changes of values in a local map. PeerMapFunctionTest makes the same changes in a cluster. */
class ValueChangeTest {
    private static final int STEPS = 4_000;
    private static final int KEYS = 8;

    private final Store store = Store.open(Stores.small().build());

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    record Account(long version, int cents, double rate) {}

    /** Each change of a number has the result of merge with the function of the same name. */
    @Test
    void changesOfNumbers_haveTheResultsOfMerge() {
        long seed = Seed.first();
        SplittableRandom random = new SplittableRandom(seed);
        ChunkLongMap<Long> map = store.longMap("longs", Codecs.LONG);
        ChunkMap<String, Integer> ints = store.map("ints", String.class, Integer.class);
        Map<Long, Long> model = new HashMap<>();
        Map<String, Integer> intModel = new HashMap<>();
        for (int i = 0; i < STEPS; i++) {
            long key = random.nextLong(KEYS);
            int number = random.nextInt();
            String text = "key " + key;
            String wrong = Seed.reproduce(ValueChangeTest.class, seed);
            switch (random.nextInt(7)) {
                case 0 -> {
                    assertEquals(model.merge(key, (long) number, Long::sum), map.apply(key, ValueChange.add(number)),
                        wrong);
                    assertEquals(intModel.merge(text, number, Integer::sum),
                        ints.apply(text, ValueChange.add(number)), wrong);
                }
                case 1 -> {
                    assertEquals(model.merge(key, (long) number, Math::min), map.apply(key, ValueChange.min(number)),
                        wrong);
                    assertEquals(intModel.merge(text, number, Math::min), ints.apply(text, ValueChange.min(number)),
                        wrong);
                }
                case 2 -> assertEquals(model.merge(key, (long) number, Math::max),
                    map.apply(key, ValueChange.max(number)), wrong);
                case 3 -> assertEquals(model.merge(key, (long) number, (one, other) -> one & other),
                    map.apply(key, ValueChange.and(number)), wrong);
                case 4 -> assertEquals(model.merge(key, (long) number, (one, other) -> one | other),
                    map.apply(key, ValueChange.or(number)), wrong);
                case 5 -> assertEquals(model.merge(key, (long) number, (one, other) -> one ^ other),
                    map.apply(key, ValueChange.xor(number)), wrong);
                default -> {
                    assertEquals(model.remove(key), map.remove(key), wrong);
                    assertEquals(intModel.remove(text), ints.remove(text), wrong);
                }
            }
        }
        assertEquals(model, map);
        assertEquals(intModel, ints);
        map.audit();
    }

    @Test
    void sortedMaps_haveTheSameFunctions() {
        ChunkSortedMap<String, Long> map = store.sortedMap("sorted", String.class, Long.class);
        assertEquals(5, map.apply("a", ValueChange.add(5)));
        assertEquals(7, map.apply("a", ValueChange.add(2)));
        assertTrue(map.modify("a", ValueChange.max(9)));
        assertFalse(map.modify("a", ValueChange.max(3)));
        assertFalse(map.modify("b", ValueChange.add(1).toLong(0)));
        assertEquals(Map.of("a", 9L), map);
        map.audit();
    }

    @Test
    void modify_saysWhetherTheEntryHasChanged() {
        ChunkLongMap<Long> map = store.longMap("longs", Codecs.LONG);
        assertTrue(map.modify(1L, ValueChange.max(5)));
        assertFalse(map.modify(1L, ValueChange.max(4)));
        assertFalse(map.modify(1L, ValueChange.add(0)));
        assertTrue(map.modify(1L, ValueChange.set(7)));
        assertEquals(7, map.get(1));
        ChunkMap<String, Double> rates = store.map("rates", String.class, Double.class);
        assertEquals(1.5, rates.apply("a", ValueChange.add(1.5)));
        assertEquals(2.0, rates.apply("a", ValueChange.add(0.5)));
        assertEquals(0.25, rates.apply("a", ValueChange.min(0.25)));
        assertEquals(9, rates.apply("a", ValueChange.max(9.0)));
    }

    @Test
    void fields_ofRecords_areChangedInPlace_andAbsentEntriesStayAbsent() {
        Schema<Account> schema = Schema.of(Account.class);
        ChunkMap<String, Account> map = store.map("accounts", Codecs.STRING, schema);
        int cents = schema.offset("cents");
        int version = schema.offset("version");
        int rate = schema.offset("rate");
        assertNull(map.apply("me", ValueChange.add(1).toInt(cents)));
        assertFalse(map.modify("me", ValueChange.add(1).toInt(cents)));
        map.put("me", new Account(3, 40, 0.5));
        assertEquals(new Account(3, 42, 0.5), map.apply("me", ValueChange.add(2).toInt(cents)));
        assertEquals(new Account(8, 42, 0.5), map.apply("me", ValueChange.set(8).toLong(version)));
        assertEquals(new Account(8, 42, 2.5), map.apply("me", ValueChange.add(2.0).toDouble(rate)));
        assertFalse(map.modify("me", ValueChange.putIfGreater(new Account(8, 1, 1), version)));
        assertEquals(new Account(9, 1, 1), map.apply("me", ValueChange.putIfGreater(new Account(9, 1, 1), version)));
        assertEquals(new Account(1, 1, 1), map.apply("you", ValueChange.putIfGreater(new Account(1, 1, 1), version)));
        assertThrows(IndexOutOfBoundsException.class, () -> map.apply("me", ValueChange.add(1).toLong(100)));
        assertEquals(new Account(9, 1, 1), map.get("me"));
    }

    @Test
    void append_makesOneValueOfTheParts() {
        ChunkMap<String, byte[]> map = store.map("logs", String.class, byte[].class);
        assertArrayEquals(new byte[] {1, 2}, map.apply("a", ValueChange.append(new byte[] {1, 2})));
        assertArrayEquals(new byte[] {1, 2, 3}, map.apply("a", ValueChange.append(new byte[] {3})));
        assertFalse(map.modify("a", ValueChange.append(new byte[0])));
        for (int i = 0; i < 600; i++) {                         // beyond an entry of a bucket
            assertTrue(map.modify("a", ValueChange.append(new byte[] {(byte) i})));
        }
        assertEquals(603, map.get("a").length);
        assertEquals((byte) 599, map.get("a")[602]);
    }

    @Test
    void changes_withoutAMeaningForTheValues_areRefused() {
        ChunkMap<String, String> texts = store.map("texts", String.class, String.class);
        ChunkMap<String, Integer> ints = store.map("ints", String.class, Integer.class);
        assertThrows(IllegalArgumentException.class, () -> ints.apply("a", ValueChange.add(1L << 40)));
        assertThrows(IllegalArgumentException.class, () -> ints.apply("a", ValueChange.add(1.5)));
        assertThrows(IllegalArgumentException.class, () -> texts.modify("a", ValueChange.add(1).toLong(-1)));
        assertThrows(IllegalStateException.class, () -> ValueChange.putIfGreater("text", 0).toInt(4));
        assertThrows(IllegalStateException.class, () -> ValueChange.add(1).toLong(0).toInt(4));
        assertThrows(IndexOutOfBoundsException.class, () -> texts.modify("a", ValueChange.putIfGreater("text", 0)));
        assertTrue(texts.isEmpty() && ints.isEmpty());
    }

    /** Bytes of a function come from other processes: no bytes do anything but be refused. */
    @Test
    void bytes_thatAreNoFunction_areRefused() {
        SplittableRandom random = new SplittableRandom(5);
        byte[] whole = RawFunction.of(ValueChange.add(5), Codecs.LONG).toBytes();
        assertEquals(16, whole.length);
        for (int length = 0; length < whole.length; length++) {
            byte[] part = Arrays.copyOf(whole, length);
            assertThrows(MalformedException.class, () -> RawFunction.read(part, 0), "length " + length);
        }
        for (int i = 0; i < STEPS; i++) {
            byte[] other = whole.clone();
            other[random.nextInt(8)] = (byte) random.nextInt(12);
            try {
                byte[] next = RawFunction.read(other, 0).apply(new byte[40], 40);
                assertTrue(next == null || next.length >= 40);
            } catch (MalformedException | IndexOutOfBoundsException _) {
                // refused, or outside of the value
            }
        }
    }
}
