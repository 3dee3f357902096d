package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.chunk.ChunkSpace;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.memory.Memory;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.zone.ZoneFill;
import io.teff.engine.zone.Zones;
import io.teff.test.kit.Form;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a dropped zone is invisible at once, its memory comes back, and what uses it at that moment ends well. Method:
 * each way of using a zone, across a drop.
 */
@Tag("modes")
final class ZoneDropTest {
    private static final byte[] ABC = {1, 2, 3};
    private static final int DROPS = Form.size(5, 20, 20);
    private static final long SHORT_NS = 20_000_000;
    private static final long LONG_NS = 60_000_000_000L;
    private static final int LONG_BYTES = 100_000;

    private final Store store = Store.open(Stores.small().lockTimeoutNs(SHORT_NS).build());
    private final ChunkSpace space = Stores.space(store);
    private final Zones zones = Zones.of(store);
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    @AfterEach
    void close() throws InterruptedException {
        other.shutdownNow();
        assertTrue(other.awaitTermination(60, TimeUnit.SECONDS));
        if (store.isOpen()) {
            store.audit();
        }
        store.close();
    }

    private void awaitReclaim() {
        Threads.await("the background thread", () -> space.tables.inventory().hidden().isEmpty());
    }

    private <T> T elsewhere(Callable<T> task) throws Exception {
        return other.submit(task).get(60, TimeUnit.SECONDS);
    }

    // ---- invisible ----

    @Test
    void drop_chunks_areAbsentAtOnce() {
        ChunkStore five = zones.add(5);
        long kept = zones.add(6).create(ABC);
        long cid = five.create(ABC);
        long large = five.create(LONG_BYTES);
        long held = five.locks().create(ABC, 0, 3, true);
        zones.drop(5);
        for (ChunkStore each : List.of(store, five)) {
            for (long gone : new long[] {cid, large, held}) {
                assertEquals(Status.ABSENT, each.get(gone, new byte[8]));
                assertEquals(Status.ABSENT, each.get(gone, MemorySegment.ofArray(new byte[8]), 0));
                assertEquals(Status.ABSENT, each.getBytes(gone, 0, new byte[1], 0, 1));
                assertEquals(Status.ABSENT, each.size(gone));
                assertFalse(each.exists(gone));
                assertEquals(Status.ABSENT, each.put(gone, ABC));
                assertEquals(Status.ABSENT, each.putBytes(gone, 0, ABC, 0, 1));
                assertEquals(Status.ABSENT, each.resize(gone, 1));
                assertEquals(Status.ABSENT, each.seal(gone));
                assertEquals(Status.ABSENT, each.remove(gone));
                assertEquals(7, each.fields().getLong(gone, 0, 7));
                assertEquals(Status.ABSENT, each.fields().putByte(gone, 0, (byte) 1));
                assertEquals(Status.ABSENT, each.locks().lockRead(gone, 0));
                assertEquals(0, each.batch().get(new long[] {gone}, 0, 1, new byte[8], 0, new int[1]));
            }
            assertArrayEquals(ABC, each.chunks().get(kept).orElseThrow());
        }
        assertEquals(Status.ABSENT, store.views().peek(cid, view -> { }));
        assertEquals(Status.ABSENT, store.views().read(held, view -> { }));
        assertEquals(Status.OK, store.locks().unlock(held));
        List<Long> visible = new ArrayList<>();
        store.ids().forEach(visible::add);
        five.ids().forEach(visible::add);
        assertEquals(List.of(kept), visible);
        assertNull(zones.zone(5));
        assertFalse(five.isOpen());
        awaitReclaim();
        assertEquals(1, store.stats().chunks());
    }

    @Test
    void drop_creates_throw() {
        ChunkStore five = zones.add(5);
        long reserved = five.ids().reserve();
        zones.drop(5);
        List<Executable> calls = List.of(() -> five.create(ABC), () -> five.create(LONG_BYTES),
            () -> five.createReadOnly(ABC), () -> five.chunks().create(ABC), () -> five.ids().reserve(),
            () -> five.ids().reserve(new long[3], 0, 3), () -> five.ids().createAt(reserved, ABC),
            () -> five.batch().create(1, new long[2], 0, 2, false), () -> five.batch().create(1, new long[2], 0, 2,
            true), () -> five.locks().create(ABC, 0, 3, true), () -> five.names().bind("a", 1),
            () -> five.map("map", Codecs.LONG, Codecs.LONG), () -> five.names().get("map"));
        for (int i = 0; i < calls.size(); i++) {
            assertEquals(5, assertThrows(ZoneDroppedException.class, calls.get(i), "call " + i).zone());
        }
        assertEquals(Status.ABSENT, five.ids().unreserve(reserved));
        awaitReclaim();
    }

    @Test
    void drop_duringAQuietMoment_doesNotWait() {
        ChunkStore five = zones.add(5);
        long cid = five.create(ABC);
        try (var _ = Stores.care(store).quiet()) {
            zones.drop(5);
            assertFalse(store.exists(cid));
            assertEquals(Status.ABSENT, five.get(cid, new byte[8]));
            assertEquals(1, space.tables.inventory().hidden().getFirst().chunks(), "its memory is still there");
        }
        awaitReclaim();
        assertEquals(0, store.stats().chunks());
    }

    // ---- memory ----

    @Test
    void drop_memory_comesBack() {
        zones.add(6).create(ABC);
        store.trim();
        long usedBefore = store.stats().usedBytes();
        long committedBefore = store.stats().committedBytes();
        long outsideBefore = space.runs.outsideBytes();
        for (int round = 0; round < 5; round++) {
            ChunkStore five = zones.add(5);
            for (int i = 0; i < 50_000; i++) {
                five.create(i % 200);
            }
            five.create(3 << 20);
            for (long i = 0; i < 10_000; i++) {
                five.map("map", Codecs.LONG, Codecs.LONG).put(i, i);
            }
            for (int i = 0; i < 9_000; i += 2) {
                five.remove(Cid.of(5, i + 1));
            }
            five.ids().createAt(Cid.of(5, 1L << 39), ABC);
            zones.drop(5);
            awaitReclaim();
            store.trim();
            assertEquals(usedBefore, store.stats().usedBytes(), "round " + round);
            assertEquals(outsideBefore, space.runs.outsideBytes(), "heap of directories");
            assertTrue(!Memory.RESERVED || store.stats().committedBytes() <= committedBefore + (1 << 20));
            assertEquals(1, store.stats().chunks());
        }
    }

    @Test
    void drop_limitReached_createsInOtherZonesGoOn() {
        ChunkStore six = zones.add(6);
        for (int round = 0; round < DROPS; round++) {
            ChunkStore five = zones.add(5);
            while (five.create(10_000) != Status.FULL) {
                assertTrue(store.isOpen());
            }
            zones.drop(5);
            assertTrue(six.create(10_000) > 0, "round " + round);
            if (Memory.RESERVED) {                              // else no memory is given back for a run of this length
                ZoneFill fill = zones.fill(7);
                // 20 chunks of zone 6 at any place leave at least a gap of this length
                fill.put(Cid.of(7, 1), false, MemorySegment.ofArray(new byte[2 << 20]), 0, 2 << 20);
                fill.publish();
                zones.drop(7);
            }
            awaitReclaim();
        }
    }

    /** Stops the thread that gives memory back where it rests between two rounds, once it is told to. */
    private static final class RoundClock implements Clock {
        final CountDownLatch atRest = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final AtomicInteger parks = new AtomicInteger();
        volatile boolean isToStop;

        @Override
        public long nowNs() {
            return System.nanoTime();
        }

        @Override
        public void park(Object blocker, long ns) {
            boolean isReclaim = Thread.currentThread().getName().startsWith("teff-drop");
            if (isReclaim && isToStop && !isInsideOfARound()) {
                atRest.countDown();
                Threads.await("the end of the rest", () -> goOn.getCount() == 0);
            } else {
                LockSupport.parkNanos(blocker, ns);
            }
            if (isReclaim) {
                parks.incrementAndGet();
            }
        }

        private static boolean isInsideOfARound() {
            return StackWalker.getInstance().walk(frames -> frames.anyMatch(it -> it.getMethodName()
                .equals("isUnheld")));
        }
    }

    @Test
    void drop_duringTheRoundForAnother_createsWaitForItsMemory() throws Exception {
        RoundClock clock = new RoundClock();
        try (Store full = Store.open(TestConfig.platform(Stores.small(), Platform.SYSTEM.withClock(clock)).build())) {
            Zones itsZones = Zones.of(full);
            ChunkStore six = itsZones.add(6);
            ChunkStore five = itsZones.add(5);
            ChunkStore eight = itsZones.add(8);
            Pin pin = full.pins().pin(five.create(ABC));
            while (eight.create(10_000) != Status.FULL) {
                assertTrue(full.isOpen());
            }
            try (var _ = Stores.care(full).quiet()) {
                itsZones.drop(5);
                Threads.await("the round for zone 5", () -> clock.parks.get() > 0);
                itsZones.drop(8);
                clock.isToStop = true;
            }
            Threads.await("the end of a round", () -> clock.atRest.getCount() == 0);
            try {
                assertTrue(six.create(10_000) > 0);
            } finally {
                clock.goOn.countDown();
                pin.close();
            }
        }
    }

    // ---- holds ----

    @Test
    void drop_pinnedChunk_keepsItsMemoryUntilTheLastPinEnds() {
        ChunkStore five = zones.add(5);
        long cid = five.create(new byte[] {1, 2, 3, 4, 5, 6, 7, 8});
        long large = five.create(LONG_BYTES);
        Pin pin = store.pins().pin(cid);
        Pin second = store.pins().pin(large);
        MemorySegment memory = pin.segment();
        zones.drop(5);
        Threads.await("the background thread", () -> store.stats().chunks() == 2);
        ChunkStore six = zones.add(6);
        for (int i = 0; i < 10_000; i++) {
            six.create(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
        }
        for (int i = 0; i < 8; i++) {
            assertEquals(i + 1, memory.get(ValueLayout.JAVA_BYTE, i));
        }
        store.audit();
        store.defragment();
        ZoneFill fill = zones.fill(5);
        fill.put(cid, false, MemorySegment.ofArray(ABC), 0, 3);
        store.audit();
        StoreException refused = assertThrows(StoreException.class, fill::publish);
        assertEquals(Category.RETRY, refused.category());
        assertFalse(store.exists(cid));
        pin.close();
        assertThrows(StoreException.class, fill::publish);
        second.close();
        fill.publish();
        assertArrayEquals(ABC, store.chunks().get(cid).orElseThrow());
        awaitReclaim();
        assertEquals(10_001, store.stats().chunks());
    }

    @Test
    void drop_lockedChunk_isFreedAfterTheLock() throws Exception {
        ChunkStore five = zones.add(5);
        long cid = five.create(ABC);
        long ended = five.create(ABC);
        assertEquals(Status.OK, five.locks().lockWrite(cid, 0));
        Threads.runAll(1, number -> five.locks().lockWrite(ended, 0));
        Future<Integer> waiter = other.submit(() -> five.locks().lockRead(cid, LONG_NS));
        Threads.await("a waiter", () -> store.locks().list().stream()
            .anyMatch(info -> info.cid() == cid && info.waiters() == 1));
        zones.drop(5);
        assertEquals(Status.ABSENT, waiter.get(60, TimeUnit.SECONDS));
        Threads.await("the background thread", () -> store.stats().chunks() == 1);
        assertEquals(Status.ABSENT, five.put(cid, ABC));
        assertThrows(StoreException.class, () -> zones.add(5));
        assertEquals(Status.OK, five.locks().unlock(cid));
        awaitReclaim();
        assertEquals(List.of(), store.locks().list());
        ChunkStore again = zones.add(5);
        assertEquals(Status.OK, again.ids().createAt(cid, ABC));
        assertEquals(Status.OK, elsewhere(() -> again.locks().lockWrite(cid, 0)));
    }

    @Test
    void drop_insideAView_leavesTheViewItsMemory() {
        ChunkStore five = zones.add(5);
        long cid = five.create(LONG_BYTES);
        assertEquals(LONG_BYTES, store.views().edit(cid, editor -> {
            zones.drop(5);
            editor.putLong(LONG_BYTES - 8, 77);
            Threads.await("the background thread", () -> !space.tables.inventory().hidden().isEmpty());
            store.create(LONG_BYTES);
            assertEquals(77, editor.getLong(LONG_BYTES - 8));
            assertEquals(Status.ABSENT, store.put(cid, ABC));
            assertEquals(Status.ABSENT, store.resize(cid, 7));
        }));
        awaitReclaim();
        assertEquals(1, store.stats().chunks());
    }

    // ---- journal ----

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void drop_betweenChangeAndRecordOfAGroup_recordsNothingOfIt(int kind) {
        RecordingJournal journal = new RecordingJournal().takeWholeChunks();
        try (Store kept = JournaledStores.open(Store.class, Stores.small().build(), journal, restorer -> { })) {
            Zones those = Zones.of(kept);
            ChunkStore five = those.add(5);
            Map<Long, String> map = five.map("map", Codecs.LONG, Codecs.STRING);
            Collection<String> list = kind % 2 == 0 ? five.list("list", Codecs.STRING)
                : five.queue("queue", Codecs.STRING);
            for (long i = 0; i < 100; i++) {
                map.put(i, "value");
                list.add("value");
            }
            int records = journal.size();
            journal.atRoom.set(() -> those.drop(5));
            assertThrows(ZoneDroppedException.class, () -> {
                if (kind < 2) {
                    list.add("another");
                } else {
                    map.remove(7L);
                }
            });
            assertEquals(records, journal.size());
            assertThrows(ZoneDroppedException.class, () -> map.put(8L, "value"));
            Threads.await("the background thread", () -> Stores.space(kept).tables.inventory().hidden().isEmpty());
            ZoneFill fill = those.fill(5);
            journal.fill(5, 0, fill);
            assertEquals(100, fill.publish().map("map", Codecs.LONG, Codecs.STRING).size());
            kept.audit();
        }
    }

    // ---- collections ----

    @Test
    void drop_collections_throwAndDoNotLoop() throws Exception {
        ChunkStore five = zones.add(5);
        List<Executable> calls = new ArrayList<>();
        var map = five.map("map", Codecs.STRING, Codecs.STRING);
        var longs = five.longMap("longs", Codecs.LONG);
        var sorted = five.sortedMap("sorted", Codecs.STRING, Codecs.STRING);
        var sortedLongs = five.sortedLongMap("sortedLongs", Codecs.LONG);
        var set = five.set("set", Codecs.STRING);
        var list = five.list("list", Codecs.STRING);
        var queue = five.queue("queue", Codecs.STRING);
        for (long i = 0; i < 5_000; i++) {
            map.put("key " + i, "value".repeat((int) i % 50));
            longs.put(i, i);
            sorted.put("key " + i, "value");
            sortedLongs.put(i, i);
            set.add("key " + i);
            list.add("element " + i);
            queue.add("element " + i);
        }
        zones.drop(5);
        for (String key : new String[] {"key 7", "key 4999", "none"}) {
            calls.addAll(List.of(() -> map.get(key), () -> map.put(key, "a"), () -> map.remove(key),
                () -> map.computeIfAbsent(key, k -> k), () -> map.merge(key, "x", String::concat),
                () -> sorted.get(key), () -> sorted.put(key, "a"), () -> sorted.remove(key),
                () -> sorted.headMap(key + "a").forEach((k, v) -> { }),
                () -> set.contains(key), () -> set.add(key), () -> set.remove(key)));
        }
        calls.addAll(List.of(() -> longs.get(7L), () -> longs.put(7L, 7L), () -> longs.remove(7L),
            () -> sortedLongs.get(7L), () -> sortedLongs.put(7L, 7L), () -> sortedLongs.remove(7L),
            () -> list.get(0), () -> list.get(4_999), () -> list.set(3, "a"), () -> list.add("a"),
            () -> list.remove(3), () -> list.add(3, "b"), () -> list.indexOf("none"),
            () -> queue.peek(), () -> queue.poll(), () -> queue.add("a"), () -> queue.contains("none"),
            () -> map.forEach((k, v) -> { }), () -> sorted.forEach((k, v) -> { }), () -> sorted.firstKey(),
            () -> longs.forEach((k, v) -> { }), () -> new ArrayList<>(set), () -> new ArrayList<>(list),
            () -> new ArrayList<>(queue), map::clear, sorted::clear, set::clear, list::clear, queue::clear,
            () -> five.names().drop("map"), () -> five.names().all(),
            () -> five.list("list", Codecs.STRING).get(1), () -> five.list("new", Codecs.STRING).add("a")));
        for (int i = 0; i < calls.size(); i++) {
            Executable call = calls.get(i);
            int number = i;
            elsewhere(() -> assertThrows(ZoneDroppedException.class, call, "call " + number));
        }
        awaitReclaim();
        for (int i = 0; i < calls.size(); i++) {
            Executable call = calls.get(i);
            int number = i;
            elsewhere(() -> assertThrows(ZoneDroppedException.class, call, "call " + number));
        }
    }

    // ---- close ----

    @Test
    void close_whileAZoneIsGivenBack_ends() {
        ChunkStore five = zones.add(5);
        for (int i = 0; i < 200_000; i++) {
            five.create(ABC);
        }
        long pinned = five.create(ABC);
        store.pins().pin(pinned);
        zones.drop(5);
        store.close();
        assertThrows(IllegalStateException.class, () -> five.create(ABC));
        zones.drop(5);
    }
}
