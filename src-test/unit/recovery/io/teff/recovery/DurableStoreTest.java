package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.StoreConfig;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Goal: a durable store is what it was when it is opened again, on the machine's disk. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DurableStoreTest {
    @TempDir
    private Path temporary;

    private static DurableConfig.Builder config() {
        return DurableConfig.builder().store(StoreConfig.builder().nid(3).memoryLimitBytes(512 << 20).build())
            .writeBufferBytes(1 << 23).segmentBytes(1 << 21);
    }

    private DurableStore open() {
        return DurableStore.open(temporary.resolve("data"), config().build());
    }

    private static byte[] content(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] get(Store store, long cid) {
        byte[] bytes = new byte[(int) store.size(cid)];
        assertEquals(bytes.length, store.get(cid, bytes));
        return bytes;
    }

    @Test
    void chunks_areThereAgain() {
        Map<Long, byte[]> expected = new HashMap<>();
        List<Long> removed = new ArrayList<>();
        for (int round = 0; round < 4; round++) {
            try (DurableStore durable = open()) {
                Store store = durable.store();
                expected.forEach((cid, bytes) -> assertArrayEquals(bytes, get(store, cid), Cid.toString(cid)));
                removed.forEach(cid -> assertEquals(Status.ABSENT, store.get(cid, new byte[10])));
                assertEquals(expected.size(), store.stats().chunks());
                SplittableRandom random = new SplittableRandom(round);
                for (int i = 0; i < 3000; i++) {
                    byte[] bytes = content(random.nextLong(), random.nextInt(random.nextInt(100) == 0 ? 70_000 : 200));
                    if (random.nextInt(3) == 0 || expected.isEmpty()) {
                        expected.put(store.create(bytes), bytes);
                    } else {
                        long cid = new ArrayList<>(expected.keySet()).get(random.nextInt(expected.size()));
                        if (random.nextInt(3) == 0) {
                            assertTrue(store.remove(cid) >= 0);
                            expected.remove(cid);
                            removed.add(cid);
                        } else {
                            assertEquals(Status.OK, store.put(cid, bytes));
                            expected.put(cid, bytes);
                        }
                    }
                }
            }
        }
    }

    @Test
    void longChunks_areThereAgain() {
        byte[] bytes = content(1, 5_000_001);
        byte[] others = content(2, 3_000_000);
        long cid;
        try (DurableStore durable = open()) {
            cid = durable.store().create(bytes);
            assertArrayEquals(bytes, get(durable.store(), cid));
        }
        try (DurableStore durable = open()) {
            assertArrayEquals(bytes, get(durable.store(), cid));
            assertEquals(Status.OK, durable.store().put(cid, others));
        }
        try (DurableStore durable = open()) {
            assertArrayEquals(others, get(durable.store(), cid));
            assertEquals(1, durable.store().audit().chunks());
        }
    }

    @Test
    void collections_areThereAgain() {
        try (DurableStore durable = open()) {
            ChunkMap<String, String> map = durable.store().map("users", String.class, String.class);
            for (int i = 0; i < 5000; i++) {
                map.put("user " + i, "name " + i);
            }
            durable.at(Level.SYNCED, () -> map.put("last", "one"));
        }
        try (DurableStore durable = open()) {
            ChunkMap<String, String> map = durable.store().map("users", String.class, String.class);
            assertEquals(5001, map.size());
            assertEquals("one", map.get("last"));
            assertEquals("name 77", map.get("user 77"));
        }
    }

    @Test
    void secondOpening_isRefused() {
        try (DurableStore durable = open()) {
            StoreException refused = assertThrows(StoreException.class, this::open);
            assertEquals(Category.RETRY, refused.category());
            assertTrue(refused.getMessage().contains("process " + ProcessHandle.current().pid()), refused.getMessage());
            assertFalse(durable.store().create(new byte[3]) < 0);
        }
    }

    @Test
    void nid_isThatOfTheFolder() {
        try (DurableStore durable = open()) {
            assertEquals(3, Cid.nid(durable.store().create(new byte[1])));
        }
        try (DurableStore durable = DurableStore.open(temporary.resolve("data"))) {
            assertEquals(3, Cid.nid(durable.store().create(new byte[1])));
        }
    }

    /** Updates that are many times as long as what lives: the log stays in bounds, and nothing is lost. */
    @Test
    void updates_areCleaned() throws Exception {
        Path folder = temporary.resolve("data");
        List<Long> cids = new ArrayList<>();
        byte[][] last = new byte[20_000][];
        try (DurableStore durable = open()) {
            SplittableRandom random = new SplittableRandom(5);
            for (int i = 0; i < last.length; i++) {
                last[i] = content(random.nextLong(), 300);
                cids.add(durable.store().create(last[i]));
            }
            for (int i = 0; i < 25 * last.length; i++) {
                int at = random.nextInt(last.length);
                last[at][0]++;
                assertEquals(Status.OK, durable.store().put(cids.get(at), last[at]));
            }
            durable.sync();
        }
        long bytes;
        try (var files = java.nio.file.Files.walk(folder.resolve("segments"))) {
            bytes = files.mapToLong(file -> file.toFile().length()).sum();
        }
        assertTrue(bytes < 40 << 20, () -> "bytes " + bytes);
        try (DurableStore durable = open()) {
            for (int i = 0; i < last.length; i++) {
                assertArrayEquals(last[i], get(durable.store(), cids.get(i)), "chunk " + i);
            }
            assertEquals(last.length, durable.store().stats().chunks());
        }
    }

    @Test
    void progress_isTold() {
        try (DurableStore durable = open()) {
            for (int i = 0; i < 5000; i++) {
                durable.store().create(new byte[1000]);
            }
        }
        List<long[]> told = new ArrayList<>();
        try (DurableStore durable = DurableStore.open(temporary.resolve("data"), config().progress(
            (done, total, chunks, ns) -> told.add(new long[] {done, total, chunks})).build())) {
            assertEquals(5000, durable.restoredEntries());
        }
        long[] end = told.getLast();
        assertEquals(end[1], end[0], () -> Arrays.toString(end));
        assertEquals(5000, end[2]);
        assertTrue(told.size() >= 3, () -> "" + told.size());
    }
}
