package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.test.kit.Content;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.PrimitiveIterator;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Goal: maps keep each of their promises. Method: each promise once, at the sizes where the structure changes. */
@Tag("modes")
final class ChunkMapTest {
    record Account(String owner, List<Integer> cents) {}

    private final Store store = Store.open(StoreConfig.builder().memoryLimitBytes(256 << 20).build());

    @AfterEach
    void close() {
        store.audit();
        store.close();
    }

    @Test
    void objects_comeBackAsNewOnes() {
        ChunkMap<String, Account> map = store.map("accounts", String.class, Account.class);
        Account account = new Account("me", new ArrayList<>(List.of(1, 2)));
        assertNull(map.put("a", account));
        account.cents().add(3);
        assertEquals(new Account("me", List.of(1, 2)), map.get("a"));
        assertEquals(new Account("me", List.of(1, 2)), map.put("a", account));
        assertEquals(new Account("me", List.of(1, 2, 3)), map.get("a"));
        assertEquals(Map.of("a", account), map);
        map.audit();
    }

    @Test
    void compute_whichChangesTheValueItself_isKept() {
        ChunkMap<String, Account> map = store.map("accounts", String.class, Account.class);
        map.put("a", new Account("me", new ArrayList<>()));
        map.computeIfPresent("a", (key, account) -> {
            account.cents().add(7);
            return account;
        });
        assertEquals(List.of(7), map.get("a").cents());
    }

    @Test
    void growsAndShrinks_oneBucketAtATime_andKeepsEverything() {
        ChunkLongMap<byte[]> map = store.longMap("numbers", Codecs.BYTES);
        long empty = map.memoryBytes();
        int count = 60_000;
        for (long key = 0; key < count; key++) {
            assertTrue(map.set(key, Content.of(32, key)));
            if (key % 10_000 == 0) {
                map.audit();
            }
        }
        map.audit();
        assertEquals(count, map.longSize());
        assertTrue(map.memoryBytes() < count * 60L, "bytes per entry " + (double) map.memoryBytes() / count);
        for (long key = 0; key < count; key++) {
            assertArrayEquals(Content.of(32, key), map.get(key));
        }
        assertNull(map.get(count));
        for (long key = 0; key < count; key++) {
            assertTrue(map.delete(key));
            if (key % 10_000 == 0) {
                map.audit();
            }
        }
        map.audit();
        assertTrue(map.isEmpty());
        assertTrue(map.memoryBytes() < empty * 2, "shrinks: " + map.memoryBytes() + " after " + empty);
        map.clear();
    }

    @Test
    void clear_givesEverythingBack() {
        long chunks = store.stats().chunks();
        ChunkLongMap<byte[]> map = store.longMap("numbers", Codecs.BYTES);
        long empty = store.stats().chunks();
        for (int round = 0; round < 3; round++) {
            for (long key = 0; key < 20_000; key++) {
                map.set(key, Content.of(key % 100 == 0 ? 2000 : 40, key));
            }
            map.clear();
            map.audit();
            assertTrue(map.isEmpty());
            assertNull(map.get(5L));
        }
        assertTrue(store.stats().chunks() <= empty + 1023, store.stats().chunks() + " chunks after " + empty);
        assertTrue(store.names().drop("numbers"));
        assertTrue(store.stats().chunks() <= chunks + 258, "only the directory is left: " + store.stats().chunks());
        assertThrows(IllegalStateException.class, () -> map.get(5L));
        assertThrows(IllegalStateException.class, () -> map.set(5L, Content.of(1, 5)));
        assertThrows(IllegalStateException.class, map::size);
    }

    @Test
    void values_ofAnyLength_inAndOutOfTheBucket() {
        ChunkLongMap<byte[]> map = store.longMap("numbers", Codecs.BYTES);
        int[] lengths = {0, 1, 40, 503, 504, 505, 506, 600, 3000, 70_000, 40, 1_000_000, 0};
        for (long key = 0; key < 300; key++) {
            for (int i = 0; i < 3; i++) {
                map.set(key, Content.of(lengths[(int) (key + i * 5) % lengths.length], key));
            }
        }
        map.audit();
        for (long key = 0; key < 300; key++) {
            assertArrayEquals(Content.of(lengths[(int) (key + 10) % lengths.length], key), map.get(key), "key " + key);
        }
        assertEquals(300, map.keySet().size());
        map.forEachEntry((key, bytes) ->
            assertArrayEquals(Content.of(lengths[(int) (key + 10) % lengths.length], key), bytes));
        for (long key = 0; key < 300; key++) {
            assertArrayEquals(Content.of(lengths[(int) (key + 10) % lengths.length], key), map.remove((Object) key));
        }
        map.audit();
    }

    @Test
    void keys_ofAnyLength() {
        ChunkMap<String, Integer> map = store.map("words", Codecs.STRING, Codecs.INT);
        List<String> keys = new ArrayList<>();
        for (int length : new int[] {0, 1, 100, 124, 125, 126, 127, 128, 129, 500, 511, 600, 16_382, 16_384, 100_000}) {
            keys.add("x".repeat(length));
            keys.add("y".repeat(length) + "\u2603");
        }
        for (int i = 0; i < keys.size(); i++) {
            assertNull(map.put(keys.get(i), i), "length " + keys.get(i).length());
        }
        for (int i = 0; i < keys.size(); i++) {
            assertEquals(i, map.get(keys.get(i)));
            assertTrue(map.containsKey(keys.get(i)));
            assertFalse(map.containsKey(keys.get(i) + "z"));
        }
        assertEquals(keys.size(), map.size());
        assertEquals(new java.util.HashSet<>(keys), map.keySet());
        map.audit();
    }

    @Test
    void getBytes_andSetBytes() {
        ChunkLongMap<byte[]> map = store.longMap("numbers", Codecs.BYTES);
        assertTrue(map.setBytes(-5, new byte[] {9, 1, 2, 3, 9}, 1, 3));
        assertFalse(map.setBytes(-5, new byte[] {9, 1, 2, 4, 9}, 1, 3));
        byte[] target = new byte[5];
        assertEquals(3, map.getBytes(-5, target, 2));
        assertArrayEquals(new byte[] {0, 0, 1, 2, 4}, target);
        assertEquals(Status.TOO_SMALL, map.getBytes(-5, target, 3));
        assertEquals(Status.ABSENT, map.getBytes(5, target, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> map.getBytes(-5, target, 6));
        assertThrows(IndexOutOfBoundsException.class, () -> map.getBytes(-5, target, -1));
        map.setBytes(-5, new byte[3000], 0, 3000);
        assertEquals(Status.TOO_SMALL, map.getBytes(-5, target, 0));
        assertEquals(3000, map.getBytes(-5, new byte[3000], 0));
    }

    @Test
    void iteration_showsWhatStaysExactlyOnce_whileTheMapGrowsAndShrinks() {
        ChunkLongMap<byte[]> map = store.longMap("numbers", Codecs.BYTES);
        int stable = 5000;
        for (long key = 0; key < stable; key++) {
            map.set(key, Content.of(300, key));
        }
        BitSet seen = new BitSet();
        long next = stable;
        boolean grow = true;
        int steps = 0;
        for (PrimitiveIterator.OfLong keys = map.keyIterator(); keys.hasNext(); steps++) {
            long key = keys.nextLong();
            if (key < stable) {
                assertFalse(seen.get((int) key), "twice: " + key);
                seen.set((int) key);
            }
            grow ^= steps % 1000 == 999;
            for (int i = 0; i < 20; i++) {
                if (grow) {
                    map.set(next++, Content.of(300, key));
                } else if (next > stable) {
                    map.delete(--next);
                }
            }
        }
        assertEquals(stable, seen.cardinality());
        map.audit();
    }

    @Test
    void getBytes_afterARemoval_findsNothing() {
        ChunkLongMap<byte[]> map = store.longMap("removed", Codecs.BYTES);
        byte[] target = new byte[8];
        for (long key = 0; key < 5_000; key++) {
            map.set(key, new byte[8]);
        }
        for (long key = 4_999; key >= 0; key--) {               // the last entries of buckets first
            assertEquals(8, map.getBytes(key, target, 0));
            assertTrue(map.delete(key));
            assertEquals(Status.ABSENT, map.getBytes(key, target, 0));
        }
    }

    @Test
    void forEach_showsEachKeyOnce_whateverTheBuckets() {
        ChunkLongMap<byte[]> map = store.longMap("shown", Codecs.BYTES);
        for (int kind = 0; kind < 3; kind++) {                  // values of one length, of any length, and overflow
            for (long key = 0; key < 20_000; key += 7) {
                map.set(key, new byte[kind == 0 ? 8 : kind == 1 ? (int) key % 60 : (int) key % 3 * 400]);
            }
            BitSet keys = new BitSet();
            map.forEachKey(key -> {
                assertFalse(keys.get((int) key), "twice");
                keys.set((int) key);
            });
            assertEquals((20_000 + 6) / 7, keys.cardinality());
            BitSet entries = new BitSet();
            map.forEachEntry((key, value) -> {
                assertArrayEquals(map.get(key), value);
                entries.set((int) key);
            });
            assertEquals(keys, entries);
            assertTrue(keys.stream().allMatch(key -> key % 7 == 0));
        }
    }

    @Test
    void forEachKey_whileItsBucketsAreMerged_showsNoKeyTwice() {
        ChunkLongMap<byte[]> map = store.longMap("merged", Codecs.BYTES);
        for (long key = 0; key < 60_000; key++) {
            map.set(key, new byte[8]);
        }
        BitSet shown = new BitSet();
        long[] count = new long[1];
        map.forEachKey(key -> {
            shown.set((int) key);
            if (++count[0] == 20_000) {                         // the walk's bucket is merged with those before it
                for (long gone = 3_000; gone < 60_000; gone++) {
                    map.delete(gone);
                }
                for (long again = 2_999; again >= 0; again--) { // and its entries are in another order
                    map.delete(again);
                    map.set(again, new byte[8]);
                }
            }
        });
        assertEquals(count[0], shown.cardinality());
        assertEquals(3_000, shown.get(0, 3_000).cardinality());
    }

    @Test
    void iterator_removesAndSets() {
        ChunkMap<String, Integer> map = store.map("words", String.class, Integer.class);
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
    }

    @Test
    void parallelStream_showsEachEntryOnce() {
        ChunkLongMap<byte[]> map = store.longMap("numbers", Codecs.BYTES);
        for (long key = 0; key < 50_000; key++) {
            map.set(key, Content.of(32, key));
        }
        List<Long> keys = map.keySet().parallelStream().collect(Collectors.toList());
        assertEquals(50_000, keys.size());
        assertEquals(50_000, new java.util.HashSet<>(keys).size());
        assertEquals(50_000, map.entrySet().stream().map(Map.Entry::getKey).distinct().count());
    }

    @Test
    void function_thatChangesTheMap_isRefusedAndNothingIsLost() {
        ChunkMap<String, Integer> map = store.map("words", String.class, Integer.class);
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
        assertThrows(ArithmeticException.class, () -> map.compute("a", (key, number) -> Math.floorDiv(number, 0)));
        assertEquals(6, map.merge("a", 1, Integer::sum));
        map.audit();
    }

    @Test
    void readAndUpdate_seeTheValueInPlace() {
        Schema<Account> schema = Schema.of(Account.class);
        ChunkMap<String, byte[]> map = store.map("bytes", Codecs.STRING, Codecs.BYTES);
        for (int length : new int[] {8, 200, 5000}) {
            map.put("a", new byte[length]);
            for (int i = 0; i < 500; i++) {
                map.put("other" + i, new byte[i]);
            }
            assertTrue(map.update("a", editor -> {
                assertEquals(length, editor.length());
                editor.putLong(length - 8, 42);
                assertThrows(IndexOutOfBoundsException.class, () -> editor.putByte(length, (byte) 1));
            }));
            AtomicLong seen = new AtomicLong();
            assertTrue(map.read("a", view -> seen.set(view.getLong(length - 8))));
            assertEquals(42, seen.get());
            assertEquals(42, map.get("a")[length - 8]);
        }
        assertFalse(map.read("b", view -> {
            throw new AssertionError();
        }));
        assertFalse(map.update("b", view -> {
            throw new AssertionError();
        }));
        map.audit();
        assertEquals(schema.describe(), schema.description());
    }

    @Test
    void nulls_areRefused_foreignKeysAreAbsent() {
        ChunkMap<String, Integer> map = store.map("words", String.class, Integer.class);
        map.put("a", 1);
        assertThrows(NullPointerException.class, () -> map.put(null, 1));
        assertThrows(NullPointerException.class, () -> map.put("a", null));
        assertThrows(NullPointerException.class, () -> map.get(null));
        assertThrows(NullPointerException.class, () -> map.putIfAbsent("a", null));
        Object number = 5;
        assertNull(map.get(number));
        assertFalse(map.entrySet().contains(Map.entry("a", 2)));
        assertTrue(map.entrySet().contains(Map.entry("a", 1)));
        Object text = "1";
        assertFalse(map.remove("a", text));
        assertEquals(1, map.get("a"));
    }

    @Test
    void fullStore_refusesAndLosesNothing() {
        try (Store small = Store.open(StoreConfig.builder().memoryLimitBytes(32 << 20).build())) {
            ChunkLongMap<byte[]> map = small.longMap("numbers", Codecs.BYTES);
            long count = 0;
            StoreException refused = null;
            while (refused == null) {
                try {
                    map.set(count, Content.of(count % 50 == 0 ? 1000 : 40, count));
                    count++;
                } catch (StoreException e) {
                    refused = e;
                }
            }
            assertEquals(StoreException.Category.DEGRADED, refused.category());
            assertTrue(count > 300_000, "count " + count);
            map.audit();
            small.audit();
            for (long key = 0; key < count; key++) {
                assertArrayEquals(Content.of(key % 50 == 0 ? 1000 : 40, key), map.get(key));
            }
            for (long key = 0; key < count; key += 2) {
                map.delete(key);
            }
            map.audit();
            assertTrue(map.set(-1, Content.of(40, 1)));
        }
    }

    @Test
    void closedStore_throws() {
        Store other = Store.open();
        ChunkMap<String, Integer> map = other.map("words", String.class, Integer.class);
        map.put("a", 1);
        other.close();
        assertThrows(StoreClosedException.class, () -> map.get("a"));
        assertThrows(StoreClosedException.class, () -> map.put("a", 2));
        assertThrows(StoreClosedException.class, () -> map.remove("a"));
        assertThrows(StoreClosedException.class, () -> map.forEach((key, number) -> { }));
        assertThrows(StoreClosedException.class, () -> other.map("more", String.class, Integer.class));
    }

    @Test
    void bucketThatAUserRemovedOrOverwrote_isReported() {
        SplittableRandom random = Seed.random(Seed.first());
        for (int way = 0; way < 12; way++) {
            int length = new int[] {-1, 0, 1, 7, 8, 9, 40, 300}[way % 8];
            byte[] garbage = new byte[Math.max(length, 0)];
            random.nextBytes(garbage);
            try (Store other = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build())) {
                ChunkLongMap<byte[]> broken = other.longMap("numbers", Codecs.BYTES);
                for (long key = 0; key < 5000; key++) {
                    broken.set(key, Content.of((int) (key % 60), key));
                }
                other.ids().forEach(cid -> {
                    if (Cid.nid(cid) == 0 && length < 0) {
                        other.remove(cid);
                    } else if (Cid.nid(cid) == 0) {
                        other.put(cid, garbage);
                    }
                });
                for (long key = 0; key < 50; key++) {
                    mayThrow(broken, key);
                }
                assertThrows(StoreException.class, broken::audit);
            }
        }
    }

    /** A read may return a wrong value or throw a StoreException; no other result is allowed. */
    private static void mayThrow(ChunkLongMap<byte[]> broken, long key) {
        List<Runnable> calls = List.of(() -> broken.get(key), () -> broken.set(key, Content.of(8, key)),
            () -> broken.delete(key), () -> broken.containsKey(key), () -> broken.keyIterator(),
            () -> broken.update(key, editor -> { }));
        for (Runnable call : calls) {
            try {
                call.run();
            } catch (StoreException | NoSuchElementException e) {
                assertTrue(e.getMessage().contains("chunk"), e.toString());
            }
        }
    }
}
