package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.LongMapLoader;
import io.teff.engine.collect.MapLoader;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.StoreClosedException;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Platform;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a loader puts each of its entries into the map, as single calls would, beside any other use of the map and up
 * to the last record of a journal; gets of many keys equal single gets.
 *
 * <p>Method: random entries beside a HashMap, in maps of several sizes; threads; memory that ends; each prefix of a
 * journal.
 */
@Tag("modes")
final class MapLoaderTest {
    private static final int COUNT = 40_000;
    private static final int ROUNDS = Form.size(6, 30, 60);
    private static final int READS = Form.size(3000, 30_000, 30_000);
    private static final int PREFIXES = Form.size(20, 100, 200);
    /** Place of the count of buckets in the root of a map. */
    private static final int COUNT_AT = 24;

    private static StoreConfig config(int mebibytes) {
        return StoreConfig.builder().memoryLimitBytes((long) mebibytes << 20).build();
    }

    private static StoreConfig config(MemoryDisk disk) {
        return TestConfig.platform(StoreConfig.builder().memoryLimitBytes(64 << 20), Platform.SYSTEM.withDisk(disk))
            .build();
    }

    @Test
    void emptyMap_getsEachEntry_withoutRoomToSpare() {
        try (Store store = Store.open(config(256))) {
            ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
            try (LongMapLoader<byte[]> loader = map.loader(COUNT)) {
                for (long key = 0; key < COUNT; key++) {
                    loader.addBytes(key, Content.of(40, key), 4, 32);
                }
                assertTrue(map.isEmpty());
            }
            map.audit();
            assertEquals(COUNT, map.longSize());
            for (long key = 0; key < COUNT; key++) {
                assertArrayEquals(Arrays.copyOfRange(Content.of(40, key), 4, 36), map.get(key));
            }
            long[] seen = new long[1];
            map.forEachKey(key -> seen[0] += key + 1);
            assertEquals((long) COUNT * (COUNT + 1) / 2, seen[0]);
            assertTrue(map.memoryBytes() < COUNT * 47L, "bytes per entry " + (double) map.memoryBytes() / COUNT);
            store.audit();
        }
    }

    @Test
    void anyEntries_equalAHashMap() {
        long seed = Seed.first();
        for (int round = 0; round < ROUNDS; round++) {
            try (Store store = Store.open(config(256))) {
                load(store, Seed.random(seed + round));
                store.audit();
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(Seed.reproduce(MapLoaderTest.class, seed + round), e);
            }
        }
    }

    private static void load(Store store, SplittableRandom random) {
        ChunkMap<String, byte[]> map = store.map("it", Codecs.STRING, Codecs.BYTES);
        Map<String, byte[]> model = new HashMap<>();
        int keys = 1 + random.nextInt(random.nextBoolean() ? 500 : 30_000);
        int lengthMax = new int[] {1, 60, 700}[random.nextInt(3)];
        for (int part = 0; part < 3; part++) {
            try (MapLoader<String, byte[]> loader = map.loader(random.nextInt(3) * 1000L)) {
                for (int i = random.nextInt(30_000); i > 0; i--) {
                    String key = key(random.nextInt(keys));
                    byte[] value = Content.of(random.nextInt(lengthMax), random.nextInt());
                    loader.add(key, value);
                    model.put(key, value);
                    if (random.nextInt(10_000) == 0) {
                        loader.flush();
                    }
                }
            }
            compare(map, model);
            for (int i = 0; i < keys / 4; i++) {
                String key = key(random.nextInt(keys));
                assertEquals(model.remove(key) != null, map.delete(key));
            }
            compare(map, model);
        }
        Map<String, byte[]> all = new HashMap<>(model);
        map.clear();
        map.putAll(all);
        compare(map, model);
    }

    private static String key(int number) {
        return number % 97 == 0 ? number + "k".repeat(600) : "key " + number;
    }

    private static void compare(ChunkMap<String, byte[]> map, Map<String, byte[]> model) {
        map.audit();
        assertEquals(model.size(), map.longSize());
        List<String> wanted = new ArrayList<>(model.keySet());
        wanted.add("absent");
        wanted.add("absent " + "k".repeat(600));
        Map<String, byte[]> found = map.getAll(wanted);
        assertEquals(model.size(), found.size());
        model.forEach((key, value) -> {
            assertArrayEquals(value, found.get(key), key);
            assertArrayEquals(value, map.get(key), key);
        });
    }

    @Test
    void getAllBytes_equalsSingleGets() {
        long seed = Seed.first();
        SplittableRandom random = Seed.random(seed);
        for (int length : new int[] {0, 32, 70, 600}) {
            try (Store store = Store.open(config(256))) {
                ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
                for (long key = 0; key < 5000; key++) {
                    map.set(key, Content.of(length > 40 ? random.nextInt(length) : length, key));
                }
                for (int i = 0; i < 300; i++) {
                    compareGets(map, random.longs(random.nextInt(100), 0, 6000).toArray(), random);
                }
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError(Seed.reproduce(MapLoaderTest.class, seed), e);
            }
        }
    }

    private static void compareGets(ChunkLongMap<byte[]> map, long[] keys, SplittableRandom random) {
        int from = keys.length == 0 ? 0 : random.nextInt(keys.length);
        int count = keys.length - from;
        byte[] target = new byte[random.nextInt(4) == 0 ? 200 : 60_000];
        byte[] expected = new byte[target.length];
        int[] lengths = new int[count];
        int total = map.getAllBytes(keys, from, count, target, 7, lengths);
        int at = 7;
        for (int i = 0; i < count; i++) {
            int length = map.getBytes(keys[from + i], expected, at);
            assertEquals(length, lengths[i]);
            at += Math.max(length, 0);
        }
        assertEquals(at - 7, total);
        assertArrayEquals(Arrays.copyOf(expected, at), Arrays.copyOf(target, at));
    }

    @Test
    void getAllBytes_besideWriters_getsWholeValues() throws InterruptedException {
        try (Store store = Store.open(config(64))) {
            ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
            long[] keys = LongStream.range(0, 64).toArray();
            byte[] first = new byte[200];
            for (long key : keys) {
                map.setBytes(key, first, 0, first.length);
            }
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running writer = Threads.start("writer", ignored -> {
                byte[] value = new byte[200];
                for (int i = 0; !done.get(); i++) {
                    Arrays.fill(value, (byte) i);
                    map.setBytes(i % keys.length, value, 0, value.length);
                }
            });
            try {
                byte[] target = new byte[keys.length * 200];
                int[] lengths = new int[keys.length];
                for (int i = 0; i < READS; i++) {
                    assertEquals(target.length, map.getAllBytes(keys, 0, keys.length, target, 0, lengths));
                    for (int at = 0; at < target.length; at++) {
                        assertEquals(target[at - at % 200], target[at], "a torn value");
                    }
                }
            } finally {
                done.set(true);
                writer.end();
            }
        }
    }

    @Test
    @SuppressWarnings({"unchecked", "rawtypes"})
    void getAll_keyOfAnotherClass_isAbsent() {
        try (Store store = Store.open(config(64))) {
            ChunkMap<Long, byte[]> map = store.map("it", Codecs.LONG, Codecs.BYTES);
            map.put(1L, new byte[1]);
            map.put(2L, new byte[2]);
            Map<Long, byte[]> found = map.getAll((List) List.of("one", 1L, "two", 2L));
            assertEquals(2, found.size());
            assertEquals(1, found.get(1L).length);
            assertEquals(2, found.get(2L).length);
        }
    }

    @Test
    void loadersBesideWriters_loseNothing() throws InterruptedException {
        try (Store store = Store.open(config(256))) {
            ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
            for (long key = -1000; key < 0; key++) {
                map.set(key, Content.of(20, key));
            }
            AtomicBoolean done = new AtomicBoolean();
            Threads.Running writer = Threads.start("writer", ignored -> {
                for (long i = 0; !done.get(); i++) {
                    map.set(Long.MAX_VALUE - i % 3000, Content.of((int) (i % 50), i));
                    map.delete(Long.MAX_VALUE - (i + 1500) % 3000);
                    long stable = -1 - i % 1000;
                    assertArrayEquals(Content.of(20, stable), map.get(stable));
                }
            });
            Threads.Running care = Threads.start("care", ignored -> {
                while (!done.get()) {
                    store.defragment();
                    map.audit();
                }
            });
            try {
                Threads.runAll(3, number -> {
                    try (LongMapLoader<byte[]> loader = map.loader(0)) {
                        for (long key = number; key < 60_000; key += 3) {
                            loader.add(key, Content.of((int) (key % 60), key));
                            if (key % 20_000 == number) {
                                loader.flush();
                            }
                        }
                    }
                });
            } finally {
                done.set(true);
                writer.end();
                care.end();
            }
            map.audit();
            for (long key = 0; key < 60_000; key++) {
                assertArrayEquals(Content.of((int) (key % 60), key), map.get(key));
            }
            store.audit();
        }
    }

    @Test
    void fullStore_keepsTheRestInTheLoader() {
        try (Store store = Store.open(config(16))) {
            ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
            long[] filler = new long[20_000];
            int filled = 0;
            LongMapLoader<byte[]> loader = map.loader(0);
            for (long key = 0; key < COUNT; key++) {
                loader.add(key, Content.of(100, key));
            }
            for (long cid = store.create(new byte[2000]); cid > 0; cid = store.create(new byte[2000])) {
                filler[filled++] = cid;
            }
            for (int i = 0; i < 400; i++) {                     // room to grow, and for a part of the entries
                store.remove(filler[--filled]);
            }
            StoreException thrown = assertThrows(StoreException.class, loader::flush);
            assertEquals(StoreException.Category.DEGRADED, thrown.category());
            map.audit();
            assertTrue(map.longSize() > 0 && map.longSize() < COUNT, map.longSize() + " entries");
            for (int i = 0; i < filled; i++) {
                store.remove(filler[i]);
            }
            loader.close();
            map.audit();
            assertEquals(COUNT, map.longSize());
            for (long key = 0; key < COUNT; key++) {
                assertArrayEquals(Content.of(100, key), map.get(key));
            }
            store.audit();
        }
    }

    @Test
    void uselessLoaders_areRefused() {
        Store store = Store.open(config(64));
        ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
        LongMapLoader<byte[]> loader = map.loader(10);
        assertThrows(NullPointerException.class, () -> loader.add(1L, null));
        assertThrows(IndexOutOfBoundsException.class, () -> loader.addBytes(1, new byte[3], 1, 3));
        assertThrows(IllegalArgumentException.class, () -> map.loader(-1));
        loader.close();
        loader.close();
        assertThrows(IllegalStateException.class, () -> loader.add(1L, new byte[1]));
        assertThrows(IllegalStateException.class, loader::flush);
        assertTrue(map.isEmpty());
        map.set(1, new byte[1]);
        assertThrows(IllegalStateException.class, () -> map.compute(1L, (key, value) -> {
            try (LongMapLoader<byte[]> inside = map.loader(0)) {
                for (long other = 0; other < 100_000; other++) {
                    inside.add(other, new byte[1]);
                }
            }
            return value;
        }));
        map.audit();
        LongMapLoader<byte[]> late = map.loader(0);
        late.add(7L, new byte[7]);
        store.names().drop("it");
        assertThrows(IllegalStateException.class, late::flush);
        ChunkLongMap<byte[]> other = store.longMap("other", Codecs.BYTES);
        LongMapLoader<byte[]> later = other.loader(0);
        later.add(7L, new byte[7]);
        store.close();
        assertThrows(StoreClosedException.class, later::close);
    }

    @Test
    void journal_hasWholeMapsAfterEachRecord() {
        RecordingJournal journal = new RecordingJournal();
        try (Store store = JournaledStores.open(Store.class, config(128), journal, restorer -> { })) {
            ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
            for (long key = 0; key < 1000; key++) {
                map.set(key, Content.of(30, key));
            }
            int before = journal.size();
            try (LongMapLoader<byte[]> loader = map.loader(0)) {
                for (long key = 500; key < 9000; key++) {
                    loader.add(key, Content.of(key % 500 == 0 ? 900 : 40, -key));
                }
            }
            map.audit();
            for (int i = 0; i <= PREFIXES; i++) {
                int count = before + (int) ((long) (journal.size() - before) * i / PREFIXES);
                try (Store restored = journal.restore(count, config(128), new RecordingJournal())) {
                    checkPrefix(restored, i == PREFIXES);
                }
            }
        }
    }

    private static void checkPrefix(Store restored, boolean isWhole) {
        ChunkLongMap<byte[]> map = restored.longMap("it", Codecs.BYTES);
        map.audit();
        restored.audit();
        for (long key = 0; key < 9000; key++) {
            byte[] value = map.get(key);
            byte[] loaded = Content.of(key % 500 == 0 ? 900 : 40, -key);
            if (key < 500 || key < 1000 && !isWhole && !Arrays.equals(value, loaded)) {
                assertArrayEquals(Content.of(30, key), value, "key " + key);
            } else if (isWhole || value != null) {
                assertArrayEquals(loaded, value, "key " + key);
            }
        }
        assertNull(map.get(9000L));
    }

    /** Splits share the change of the root's count: a snapshot may contain several buckets beyond the count. */
    @Test
    void snapshotAmongSplits_findsAllOfThem() {
        for (int behind = 0; behind < 6; behind++) {
            MemoryDisk disk = new MemoryDisk();
            Store store = Store.open(config(disk));
            ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
            for (long key = 0; key < 8000; key++) {
                map.set(key, Content.of(32, key));
            }
            long root = store.names().get("it").orElseThrow().cid();
            long buckets = store.fields().getLong(root, COUNT_AT, 0);
            assertTrue(buckets > 520, buckets + " buckets");
            assertEquals(0, store.fields().putLong(root, COUNT_AT, buckets - behind));
            Store restored = disk.reopen(store, config(disk));
            ChunkLongMap<byte[]> again = restored.longMap("it", Codecs.BYTES);
            again.audit();
            assertEquals(buckets, restored.fields().getLong(root, COUNT_AT, 0));
            for (long key = 0; key < 8000; key++) {
                assertArrayEquals(Content.of(32, key), again.get(key));
            }
            restored.close();
        }
    }

    /** Most inserts move no bucket: a bucket that grows gets room for more. */
    @Test
    void inserts_moveFewBuckets() {
        try (Store store = Store.open(config(64))) {
            ChunkLongMap<byte[]> map = store.longMap("it", Codecs.BYTES);
            for (long key = 0; key < 1500; key++) {
                map.setBytes(key, new byte[32], 0, 32);
            }
            int moves = 0;
            int entries = 1500;
            long bytes = map.memoryBytes();
            for (long key = 1500; key < 1500 + entries; key++) {
                map.setBytes(key, new byte[32], 0, 32);
                long now = map.memoryBytes();
                moves += now == bytes ? 0 : 1;
                bytes = now;
            }
            assertTrue(moves < entries * 6 / 10, moves + " moves of " + entries);
        }
    }
}
