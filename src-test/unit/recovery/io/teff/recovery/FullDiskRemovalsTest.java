package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Store;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkLongMap;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSet;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Goal: each operation that only removes something is accepted on a full disk, and is kept; adding is refused. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class FullDiskRemovalsTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final int COUNT = 2000;

    private final FaultDisk disk = new FaultDisk();
    private DurableStore durable;

    private DurableConfig config(int cleanPercent) {
        return DurableConfig.builder().store(StoreConfig.builder().nid(3).memoryLimitBytes(256 << 20).build())
            .writeBufferBytes(1 << 23).segmentBytes(1 << 21).cleanPercent(cleanPercent)
            .platform(Platform.SYSTEM.withDisk(disk)).build();
    }

    @BeforeEach
    void open() {
        durable = DurableStore.open(FOLDER, config(60));
    }

    @AfterEach
    void close() {
        durable.close();
    }

    private void reopen() {
        durable.close();
        open();
    }

    /** Opens the store without cleaning, which could make room at any time and so let an addition pass. */
    private void reopenWithoutCleaning() {
        durable.close();
        durable = DurableStore.open(FOLDER, config(0));
    }

    private Store store() {
        return durable.store();
    }

    /** Fills the disk, and adds until that is refused. */
    private void fillUp() {
        disk.fillUp(0);
        final StoreException refused = assertThrows(StoreException.class, () -> {
            while (true) {
                store().create(new byte[30_000]);
            }
        });
        assertEquals(Category.DEGRADED, refused.category());
        assertTrue(refused.getMessage().contains("Removals are accepted"), refused::getMessage);
    }

    private void assertRefused(Runnable change) {
        assertEquals(Category.DEGRADED, assertThrows(StoreException.class, change::run).category());
    }

    @Test
    void additions_areRefused() {
        reopenWithoutCleaning();
        final long cid = store().create(new byte[100]);
        final ChunkMap<Integer, String> hash = store().map("hash", Codecs.INT, Codecs.STRING);
        final ChunkSortedMap<Integer, String> sorted = store().sortedMap("sorted", Codecs.INT, Codecs.STRING);
        final ChunkLongMap<byte[]> longs = store().longMap("longs", Codecs.BYTES);
        final ChunkSet<Integer> set = store().set("set", Codecs.INT);
        final List<Integer> list = store().list("list", Codecs.INT);
        final ChunkQueue<Integer> queue = store().queue("queue", Codecs.INT);
        hash.put(1, "value");
        sorted.put(1, "value");
        longs.set(1, new byte[50]);
        list.add(1);
        fillUp();
        assertEquals(DurableHealth.State.FULL, durable.health().state());
        assertRefused(() -> store().put(cid, new byte[100]));
        assertRefused(() -> store().resize(cid, 10));
        for (ConcurrentMap<Integer, String> map : List.of(hash, sorted)) {
            assertRefused(() -> map.put(COUNT, "more"));
            assertRefused(() -> map.computeIfPresent(1, (_, _) -> null));
        }
        assertRefused(() -> longs.set(1, new byte[1]));
        assertRefused(() -> set.add(COUNT));
        assertRefused(() -> list.add(1));
        assertRefused(() -> list.set(0, 1));
        assertRefused(() -> queue.add(1));
        assertTrue(hash.delete(1));
        assertEquals(100, store().remove(cid));
    }

    @Test
    void removals_ofChunks_areAccepted() {
        final long[] cids = new long[COUNT];
        for (int i = 0; i < COUNT; i++) {
            cids[i] = store().create(new byte[100]);
        }
        final long reserved = store().ids().reserve();
        fillUp();
        assertEquals(100, store().remove(cids[0]));
        assertEquals(100, store().remove(cids[1]));
        final long[] results = new long[COUNT - 10];
        assertEquals(COUNT - 10, store().batch().remove(cids, 2, COUNT - 10, results));
        assertEquals(Status.OK, store().ids().unreserve(reserved));
        reopen();
        assertEquals(Status.ABSENT, store().size(cids[2]));
        assertEquals(100, store().size(cids[COUNT - 1]));
        durable.at(Level.SYNCED, () -> store().remove(cids[COUNT - 1]));
        assertEquals(Status.ABSENT, store().size(cids[COUNT - 1]));
    }

    @Test
    void removals_fromMaps_areAccepted() {
        final ChunkMap<Integer, String> hash = store().map("hash", Codecs.INT, Codecs.STRING);
        final ChunkSortedMap<Integer, String> sorted = store().sortedMap("sorted", Codecs.INT, Codecs.STRING);
        final List<ConcurrentMap<Integer, String>> maps = List.of(hash, sorted);
        for (ConcurrentMap<Integer, String> map : maps) {
            for (int i = 0; i < COUNT; i++) {
                map.put(i, "value " + i);
            }
        }
        fillUp();
        assertTrue(hash.delete(3));
        assertTrue(sorted.delete(3));
        for (ConcurrentMap<Integer, String> map : maps) {
            assertEquals("value 1", map.remove(1));
            assertTrue(map.remove(2, "value 2"));
            assertTrue(map.keySet().remove(4));
            assertTrue(map.entrySet().removeIf(it -> it.getKey() == 5));
            assertTrue(map.values().removeIf("value 6"::equals));
            final var walk = map.entrySet().iterator();
            final Map.Entry<Integer, String> first = walk.next();
            walk.remove();
            assertNull(map.get(first.getKey()));
            assertEquals(COUNT - 7, map.size());
        }
        reopen();
        assertEquals(COUNT - 7, store().map("hash", Codecs.INT, Codecs.STRING).longSize());
        store().map("hash", Codecs.INT, Codecs.STRING).clear();
        assertTrue(store().names().drop("hash"));
        store().sortedMap("sorted", Codecs.INT, Codecs.STRING).clear();
        assertTrue(store().names().drop("sorted"));
        reopen();
        assertEquals(Map.of(), store().names().all());
    }

    @Test
    void removals_fromOtherCollections_areAccepted() {
        final ChunkLongMap<byte[]> longs = store().longMap("longs", Codecs.BYTES);
        final ChunkSet<Integer> set = store().set("set", Codecs.INT);
        final List<Integer> list = store().list("list", Codecs.INT);
        final ChunkQueue<Integer> queue = store().queue("queue", Codecs.INT);
        for (int i = 0; i < COUNT; i++) {
            longs.set(i, new byte[50]);
            set.add(i);
            list.add(i);
            queue.add(i);
        }
        fillUp();
        assertTrue(longs.delete(1));
        assertTrue(set.remove(1));
        assertTrue(set.removeIf(it -> it < 10));
        assertEquals(5, list.remove(5));
        assertTrue(list.remove((Object) 7));
        assertTrue(list.removeIf(it -> it > COUNT - 10));
        assertEquals(0, queue.poll());
        assertTrue(queue.remove(5));
        assertTrue(queue.removeIf(it -> it == 6));
        reopen();
        assertArrayEquals(new byte[50], store().longMap("longs", Codecs.BYTES).get(2));
        assertEquals(COUNT - 10, store().set("set", Codecs.INT).size());
        assertEquals(COUNT - 11, store().list("list", Codecs.INT).size());
        assertEquals(COUNT - 3, store().queue("queue", Codecs.INT).size());
        store().set("set", Codecs.INT).clear();
        store().list("list", Codecs.INT).clear();
        store().queue("queue", Codecs.INT).clear();
        for (String name : List.of("longs", "set", "list", "queue")) {
            assertTrue(store().names().drop(name), name);
        }
        reopen();
        assertEquals(Map.of(), store().names().all());
    }
}
