package io.teff.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.collect.ChunkCollection;
import io.teff.engine.collect.ChunkList;
import io.teff.engine.collect.ChunkMap;
import io.teff.engine.collect.ChunkQueue;
import io.teff.engine.collect.ChunkSortedMap;
import io.teff.engine.config.LockStep;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.journal.Journal;
import io.teff.engine.journal.JournaledStores;
import io.teff.engine.os.Platform;
import io.teff.engine.report.AuditReport;
import io.teff.engine.storage.CollectionChunks;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongFunction;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a store restored from the records of a journal has the same content, whichever operations changed chunks,
 * whatever the lengths of the chunks, and whatever other threads did meanwhile.
 *
 * <p>Method: {@link RecordingJournal}; {@link StoreModelTest} does the same with all operations in any order.
 */
final class JournalTest {
    private static final Duration WAIT = Duration.ofSeconds(60);
    private static final int LONG = Journal.CONTENT_BYTES_MAX + 12_345;
    private static final int CHANGES_OF_THREAD = Form.size(4_000, 20_000, 20_000);
    private static final int RESTARTS = Form.size(4, 12, 12);
    private static final int MANY = Form.size(2_000, 5_000, 5_000);

    private final RecordingJournal journal = new RecordingJournal();

    private static StoreConfig config() {
        return Stores.small().memoryLimitBytes(256 << 20).build();
    }

    private static final int BYTES_STEPS = 2000;

    private Store open() {
        return JournaledStores.open(Store.class, config(), journal, restorer -> { });
    }

    private static Map<Long, byte[]> contents(Store store) {
        Map<Long, byte[]> contents = new HashMap<>();
        store.ids().forEach(cid -> contents.put(cid, store.chunks().get(cid).orElseThrow()));
        return contents;
    }

    private void assertSame(Store store) {
        try (Store restored = journal.restore(journal.size(), config(), new RecordingJournal())) {
            Map<Long, byte[]> kept = contents(restored);
            Map<Long, byte[]> known = contents(store);
            assertEquals(known.keySet(), kept.keySet());
            known.forEach((cid, content) -> assertArrayEquals(content, kept.get(cid), () -> Cid.toString(cid)));
            restored.audit();
        }
    }

    @Test
    void longChunks_areKeptWhateverChangesThem() {
        try (Store store = open()) {
            for (int length : new int[] {70_000, Journal.CONTENT_BYTES_MAX, LONG}) {
                long cid = store.create(Content.of(length, length));
                assertSame(store);
                store.put(cid, Content.of(length, 2));
                assertSame(store);
                store.fields().putLong(cid, length - 8L, 99);
                assertSame(store);
                assertEquals(1, store.fields().compareAndSetInt(cid, 0, store.fields().getInt(cid, 0, 0), 5));
                store.fields().getAndAddLong(cid, 100, 77);
                assertSame(store);
                store.putBytes(cid, 50_000, new byte[10], 0, 10);
                store.putBytes(cid, 0, new byte[69_000], 0, 69_000);
                assertSame(store);
                store.views().edit(cid, editor -> editor.putByte(length / 2, (byte) 1));
                assertSame(store);
                store.resize(cid, length + 100_000L);
                assertSame(store);
                store.resize(cid, 10);
                store.put(cid, Content.of(length, 3));
                assertSame(store);
                assertEquals(Status.OK, store.seal(cid));
                assertEquals(Status.READ_ONLY, store.put(cid, new byte[1]));
                assertSame(store);
            }
        }
        try (Store restored = journal.restore(journal.size(), config(), new RecordingJournal())) {
            restored.ids().forEach(cid -> assertEquals(Status.READ_ONLY, restored.put(cid, new byte[1])));
        }
    }

    /** A chunk is held while it is recorded, but not afterwards. */
    @Test
    void longChunk_isFreeAfterAChange() throws InterruptedException {
        try (Store store = open()) {
            long cid = store.create(Content.of(LONG, 1));
            store.fields().putLong(cid, 8, 1);
            assertThrows(IndexOutOfBoundsException.class, () -> store.fields().putLong(cid, LONG, 1));
            Threads.runAll(2, _ -> assertEquals(Status.OK, store.put(cid, Content.of(LONG, 2))));
            assertTrue(store.locks().list().isEmpty());
            assertSame(store);
        }
    }

    @Test
    void bytesWrittenThroughAPin_areRecordedWhenThePinEnds() {
        try (Store store = open()) {
            long cid = store.create(new byte[16]);
            try (Pin pin = store.pins().pin(cid)) {
                pin.segment().copyFrom(MemorySegment.ofArray(Content.of(16, 4)));
            }
            assertSame(store);
            Pin pin = store.pins().pin(cid);
            pin.segment().copyFrom(MemorySegment.ofArray(Content.of(16, 5)));
            store.pins().unpin(cid);
            assertSame(store);
            int before = journal.size();
            store.pins().unpin(Cid.of(1, 77));
            assertEquals(before, journal.size(), "no record of a CID without a chunk");
        }
    }

    @Test
    void pinThatOnlyReads_isNotRecorded() {
        try (Store store = open()) {
            long cid = store.create(Content.of(16, 4));
            long sealed = store.createReadOnly(Content.of(16, 5));
            int before = journal.size();
            Pin pin = store.pins().pinToRead(cid);
            assertArrayEquals(Content.of(16, 4), pin.segment().toArray(ValueLayout.JAVA_BYTE));
            assertTrue(pin.segment().isReadOnly() && pin.address() != 0);
            assertEquals(Status.PINNED, store.remove(cid));
            pin.close();
            store.pins().pin(cid).close();
            try (Pin other = store.pins().pin(sealed)) {
                assertEquals(16, other.segment().byteSize());
            }
            assertEquals(Status.NOT_HELD, store.pins().unpin(cid));
            assertEquals(before, journal.size());
            assertEquals(16, store.remove(cid));
        }
    }

    /**
     * A pin ends whether or not its chunk can be recorded. If it was recorded, the unpin waits like any other change.
     */
    @Test
    void pinThatEnds_waits_alsoWhereNothingIsKept() {
        try (Store store = open()) {
            long cid = store.create(new byte[16]);
            int before = journal.dones.get();
            try (Pin pin = store.pins().pin(cid)) {
                pin.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
            }
            assertEquals(before + 1, journal.dones.get());
            Pin pin = store.pins().pin(cid);
            store.pins().pin(cid);
            pin.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 2);
            journal.failAfter(0);
            assertThrows(StoreException.class, pin::close);
            assertThrows(StoreException.class, () -> store.pins().unpin(cid));
            assertEquals(List.of(), store.pins().list());
        }
    }

    /**
     * Between the call and the chunk's stripe, other threads end the chunk's last pin, remove the chunk, and reuse its
     * index.
     */
    @Test
    void pinThatEndsBesideARemoval_tellsNothingOfWhoHasTheIndexNow() {
        try (Store store = open()) {
            long cid = Cid.of(3, 77);
            long next = Cid.of(3, 1L << 40 | 77);
            assertEquals(Cid.index(cid), Cid.index(next));
            assertEquals(Status.OK, store.ids().createAt(cid, new byte[16]));
            store.pins().pin(cid);
            journal.beforeAnswer.set(() -> {
                assertEquals(Status.OK, store.pins().unpin(cid));
                assertEquals(16, store.remove(cid));
                assertEquals(Status.OK, store.ids().createAt(next, new byte[9]));
            });
            assertEquals(Status.NOT_HELD, store.pins().unpin(cid));
            assertSame(store);
        }
    }

    @Test
    void readsAndRefusedChanges_tellNothing() {
        try (Store store = open()) {
            long cid = store.create(new byte[40]);
            long sealed = store.createReadOnly(new byte[40]);
            int before = journal.size();
            int dones = journal.dones.get();
            store.get(cid, new byte[40]);
            store.fields().getLong(cid, 0, 0);
            store.views().read(cid, view -> { });
            assertEquals(Status.READ_ONLY, store.put(sealed, new byte[40]));
            assertEquals(Status.ABSENT, store.put(Cid.of(1, 99), new byte[40]));
            assertEquals(Status.ABSENT, (int) store.remove(Cid.of(1, 99)));
            assertEquals(0, store.fields().compareAndSetLong(cid, 0, 5, 6));
            store.defragment();
            assertEquals(before, journal.size());
            assertTrue(journal.dones.get() <= dones + 1, "a compare that fails may wait");
        }
    }

    /** Each change waits once for the requested level; a batch waits once. */
    @Test
    void changes_waitOnceEach() {
        try (Store store = open()) {
            long cid = store.create(new byte[40]);
            long[] cids = new long[10];
            MemorySegment source = MemorySegment.ofArray(new byte[200]);
            int[] lengths = {20, 20, 20, 20, 20, 20, 20, 20, 20, 20};
            List<Runnable> changes = List.of(
                () -> store.create(new byte[4]),
                () -> store.createReadOnly(new byte[4]),
                () -> store.put(cid, new byte[40]),
                () -> store.put(cid, new byte[41]),
                () -> store.putBytes(cid, 1, new byte[4], 0, 4),
                () -> store.resize(cid, 50),
                () -> store.fields().putLong(cid, 0, 1),
                () -> store.fields().compareAndSetLong(cid, 0, 1, 2),
                () -> store.fields().getAndAddInt(cid, 0, 1),
                () -> store.views().edit(cid, editor -> editor.putInt(0, 3)),
                () -> store.locks().put(cid, new byte[50], 0, 50, LockStep.LOCK_WRITE, LockStep.UNLOCK, 0),
                () -> store.locks().create(new byte[3], 0, 3, false),
                () -> store.ids().reserve(),
                () -> store.ids().reserve(new long[3], 0, 3),
                () -> store.ids().createAt(Cid.of(3, 77), new byte[3]),
                () -> store.batch().create(20, cids, 0, 10, true),
                () -> store.batch().resize(cids, 0, new long[] {5, 6}, new int[2]),
                () -> store.batch().put(cids, 0, source, lengths, new int[10]),
                () -> store.batch().remove(cids, 0, 10, new long[10]),
                () -> store.batch().create(source, lengths, cids, 0, false),
                () -> store.ids().unreserve(store.ids().reserve()),
                () -> store.seal(cid),
                () -> store.remove(cid),
                () -> store.locks().remove(cids[0], 0),
                () -> store.map("it", Codecs.STRING, Codecs.STRING).put("one", "two"));
            for (int i = 0; i < changes.size(); i++) {
                int before = journal.dones.get();
                int size = journal.size();
                changes.get(i).run();
                assertTrue(journal.size() > size, "change " + i + " tells nothing");
                assertTrue(journal.dones.get() > before, "change " + i + " does not wait");
                assertTrue(journal.dones.get() <= before + 4, "change " + i + " waits often");
            }
        }
    }

    /** If the journal fails, all further changes may fail, but the store can still be read and is consistent. */
    @Test
    void journalThatFails_leavesAStoreThatCanBeRead() {
        for (int after = 0; after < 60; after++) {
            RecordingJournal failing = new RecordingJournal();
            try (Store store = JournaledStores.open(Store.class, config(), failing, restorer -> { })) {
                failing.failAfter(after);
                List<Long> cids = new ArrayList<>();
                SplittableRandom random = Seed.random(after);
                boolean hasFailed = false;
                for (int i = 0; i < 100; i++) {
                    try {
                        change(store, cids, random);
                    } catch (StoreException e) {
                        hasFailed = true;
                    }
                }
                assertTrue(hasFailed);
                contents(store);
                store.audit();
            }
        }
    }

    @Test
    void collectionsOfAJournalThatFails_canBeRead() {
        try (Store store = open()) {
            ChunkMap<String, String> map = store.map("map", Codecs.STRING, Codecs.STRING);
            ChunkSortedMap<String, String> sorted = store.sortedMap("sorted", Codecs.STRING, Codecs.STRING);
            ChunkList<String> list = store.list("list", Codecs.STRING);
            ChunkQueue<String> queue = store.queue("queue", Codecs.STRING);
            map.put("a", "b");
            sorted.put("a", "b");
            list.add("a");
            queue.add("a");
            journal.failAfter(0);
            assertThrows(StoreException.class, () -> map.put("a", "c"));
            assertThrows(StoreException.class, () -> map.update("a", editor -> editor.putByte(0, (byte) 1)));
            assertThrows(StoreException.class, () -> sorted.remove("a"));
            assertThrows(StoreException.class, () -> sorted.update("a", editor -> editor.putByte(0, (byte) 1)));
            assertThrows(StoreException.class, () -> list.set(0, "c"));
            assertThrows(StoreException.class, queue::poll);
            assertThrows(StoreException.class, map::clear);
            assertThrows(StoreException.class, sorted::clear);
            assertThrows(StoreException.class, list::clear);
            assertThrows(StoreException.class, queue::clear);
            assertThrows(StoreException.class, () -> store.names().drop("map"));
            assertEquals("b", map.get("a"));
            assertTrue(map.read("a", view -> { }));
            assertEquals("{a=b}", sorted.toString());
            assertTrue(sorted.read("a", view -> { }));
            assertEquals("[a]", list.toString());
            assertEquals("a", queue.peek());
            for (ChunkCollection each : List.of(map, sorted, list, queue)) {
                each.audit();
            }
        }
    }

    /** Peeks skip emptied segments and removed records in front of the first element, and change nothing. */
    @Test
    void looksAtAQueue_changeNothing() {
        try (Store store = open()) {
            ChunkQueue<String> queue = store.queue("queue", Codecs.STRING);
            for (int i = 0; i < 30; i++) {
                queue.add(i + "x".repeat(400));                 // four per segment
            }
            for (int i = 0; i < 4; i++) {
                queue.poll();
            }
            queue.removeIf(element -> element.startsWith("5") || element.startsWith("6") || element.startsWith("7"));
            look(queue, "4");
            queue.poll();                                       // two segments are empty now
            look(queue, "8");
            journal.failAfter(0);
            look(queue, "8");
            queue.audit();
        }
    }

    private void look(ChunkQueue<String> queue, String first) {
        int before = journal.size();
        String expected = first + "x".repeat(400);
        for (int i = 0; i < 2; i++) {
            assertEquals(expected, queue.peek());
            assertEquals(expected, queue.element());
            assertEquals(expected, queue.iterator().next());
            assertTrue(queue.contains(expected));
            assertEquals(queue.size(), queue.toArray().length);
        }
        assertEquals(before, journal.size());
    }

    private static void change(Store store, List<Long> cids, SplittableRandom random) {
        long cid = cids.isEmpty() ? Cid.of(1, 1) : cids.get(random.nextInt(cids.size()));
        switch (random.nextInt(9)) {
            case 0 -> cids.add(store.create(new byte[random.nextInt(100)]));
            case 1 -> store.put(cid, new byte[random.nextInt(100)]);
            case 2 -> cids.add(store.ids().reserve());
            case 3 -> store.ids().createAt(cid, new byte[10]);
            case 4 -> store.remove(cid);
            case 5 -> store.resize(cid, random.nextInt(200));
            case 6 -> store.batch().create(8, new long[5], 0, 5, true);
            case 7 -> cids.add(store.locks().create(new byte[9], 0, 9, false));
            default -> store.ids().createAt(Cid.of(1, random.nextInt(1, 100_000)), new byte[3]);
        }
    }

    @Test
    void changesOfManyThreads_areKeptInTheirOrder() throws InterruptedException {
        long seed = Seed.first();
        try (Store store = open()) {
            long[] cids = new long[40];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = store.create(new byte[8]);
            }
            Threads.runAll(4, number -> {
                SplittableRandom random = Seed.random(seed + number);
                for (int i = 0; i < CHANGES_OF_THREAD; i++) {
                    int at = random.nextInt(cids.length);
                    switch (random.nextInt(6)) {
                        case 0 -> store.fields().getAndAddLong(cids[0], 0, 1);
                        case 1 -> store.put(cids[at], Content.of(8 + random.nextInt(3) * 20, i));
                        case 2 -> store.views().edit(cids[at], editor -> editor.putInt(2, 7));
                        case 3 -> store.resize(cids[at], 8 + random.nextInt(40));
                        default -> {
                            long made = store.create(new byte[random.nextInt(60)]);
                            store.put(made, Content.of(20, i));
                            if (random.nextInt(10) > 0) {
                                store.remove(made);
                            }
                        }
                    }
                }
            });
            assertSame(store);
        } catch (AssertionError e) {
            throw new AssertionError(Seed.reproduce(getClass(), seed), e);
        }
    }

    private static int createdAgain(Store store, Set<Long> indexes) {
        int reused = 0;
        for (int i = 0; i < MANY; i++) {
            reused += indexes.contains(Cid.index(store.create(new byte[9]))) ? 1 : 0;
        }
        return reused;
    }

    /**
     * A group is recorded after its changes were made. Until then, no thread gets an index that the group has freed.
     * Otherwise a restored store could lack the removed chunks without having the other changes of the group.
     */
    @Test
    void indexThatAGroupFrees_isReusedAfterTheGroupIsRecorded() {
        try (Store store = open()) {
            CollectionChunks nodes = Stores.nodes(store);
            Set<Long> indexes = new HashSet<>();
            List<Long> removed = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                removed.add(store.create(new byte[8]));
            }
            long reserved = store.ids().reserve();
            removed.forEach(nodes::remove);
            nodes.unreserve(reserved);
            removed.forEach(cid -> indexes.add(Cid.index(cid)));
            indexes.add(Cid.index(reserved));
            assertEquals(0, createdAgain(store, indexes));
            store.audit();
            assertEquals(Status.EXISTS, store.ids().createAt(removed.getFirst() + (1L << 40), new byte[4]));
            try (Store killed = journal.restore(journal.size(), config(), new RecordingJournal())) {
                removed.forEach(cid -> assertEquals(8, killed.size(cid), () -> Cid.toString(cid)));
            }
            assertTrue(nodes.endGroup());
            store.audit();
            assertTrue(createdAgain(store, indexes) > MANY / 5);
            assertSame(store);
        }
    }

    /**
     * A thread in a stripe may wait until all records are ended, so no record is begun before the stripes of its
     * chunks.
     */
    @Test
    @Timeout(300)
    void group_hasItsStripesBeforeItsRecord() throws InterruptedException {
        try (Store store = open()) {
            CollectionChunks nodes = Stores.nodes(store);
            long cid = store.create(new byte[8]);
            Thread group = Thread.currentThread();
            AtomicBoolean isInside = new AtomicBoolean();
            AtomicBoolean isSeen = new AtomicBoolean();         // until then the group may wait for the other thread
            AtomicBoolean isEarly = new AtomicBoolean();
            Thread other = Thread.ofPlatform().unstarted(() -> {
                journal.beforeClaim.set(() -> {                 // inside the chunk's stripe
                    journal.beforeClaim.set(() -> isEarly.set(isInside.get()));
                    isInside.set(true);
                    Threads.await("the group waits",
                        () -> isSeen.get() && group.getState() == Thread.State.TIMED_WAITING || isEarly.get());
                    isInside.set(false);
                });
                store.put(cid, Content.of(8, 1));
            });
            nodes.store(cid, Content.of(8, 2), 0, 8);
            nodes.store(store.create(new byte[8]), new byte[8], 0, 8);
            journal.atRoom.set(() -> {
                other.start();
                Threads.await("the other thread", isInside::get);
                isSeen.set(true);
            });
            assertTrue(nodes.endGroup());
            other.join();
            assertFalse(isEarly.get());
            assertSame(store);
        }
    }

    /** A thread that waits for room for a long chunk is in no stripe, so that readers of other chunks continue. */
    @Test
    void roomForWhatIsHeld_isAwaitedInNoStripe() {
        journal.takeWholeChunks();
        try (Store store = open()) {
            long cid = store.create(new byte[70_000]);
            List<Runnable> changes = List.of(
                () -> store.put(cid, Content.of(70_000, 1)),
                () -> store.put(cid, Content.of(90_000, 2)),
                () -> store.putBytes(cid, 5, new byte[6], 0, 6),
                () -> store.resize(cid, 80_000),
                () -> store.fields().putLong(cid, 0, 1),
                () -> store.fields().getAndAddLong(cid, 0, 1),
                () -> store.fields().compareAndSetInt(cid, 100, store.fields().getInt(cid, 100, 0), 2),
                () -> store.views().edit(cid, editor -> editor.putInt(0, 3)),
                () -> store.seal(cid));
            for (int i = 0; i < changes.size(); i++) {
                assertAwaited(store, "change " + i, changes.get(i));
            }
        }
    }

    /** Runs a change that must wait for room, and checks that the whole store can be audited meanwhile. */
    private void assertAwaited(Store store, String name, Runnable change) {
        AtomicBoolean isAwaited = new AtomicBoolean();
        journal.atRoom.set(() -> {
            Thread auditor = Thread.ofPlatform().daemon().start(store::audit);
            try {
                isAwaited.set(auditor.join(WAIT));              // false if this thread is in a stripe
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        change.run();
        assertTrue(isAwaited.get(), () -> name + " waits for room while others wait for it");
        assertSame(store);
        assertTrue(store.audit().chunks() > 0 && store.locks().list().isEmpty(), name);
    }

    @Test
    void roomForWhatIsMade_isAwaitedInNoStripe() {
        try (Store store = open()) {
            for (int length : Form.isLong() ? new int[] {70_000, LONG} : new int[] {70_000}) {
                byte[] content = Content.of(length, 1);
                long reserved = store.ids().reserve();
                long foreign = Cid.of(7, 5);
                Map<String, Runnable> changes = new LinkedHashMap<>();
                changes.put("create", () -> store.create(content));
                changes.put("zeros", () -> store.create(length));
                changes.put("read-only", () -> assertEquals(Status.READ_ONLY,
                    store.put(store.createReadOnly(content), new byte[1])));
                changes.put("reserved", () -> assertEquals(Status.OK,
                    store.ids().createAt(reserved, content, 0, length)));
                changes.put("foreign", () -> assertEquals(Status.OK,
                    store.ids().createAt(foreign, content, 0, length)));
                changes.put("reserved, taken", () -> {
                    assertEquals(Status.EXISTS, store.ids().createAt(reserved, content, 0, length));
                    assertEquals(length, store.remove(foreign));
                    assertEquals(Status.OK, store.ids().createAt(foreign, content, 0, length));
                });
                changes.put("batch", () -> assertEquals(3, store.batch().create(length, new long[3], 0, 3, true)));
                changes.put("mixed batch", () -> {
                    long[] cids = new long[4];
                    int[] lengths = {5, length, 0, 6};
                    MemorySegment source = MemorySegment.ofArray(Content.of(length + 11, 2));
                    assertEquals(4, store.batch().create(source, lengths, cids, 0, true));
                    assertEquals(Cid.index(cids[0]) + 3, Cid.index(cids[3]));
                    assertArrayEquals(source.asSlice(length + 5L).toArray(ValueLayout.JAVA_BYTE),
                        store.chunks().get(cids[3]).orElseThrow());
                });
                changes.put("held", () -> {
                    long cid = store.locks().create(content, 0, length, true);
                    assertTrue(store.locks().isWriteHeld(cid));
                    assertEquals(Status.OK, store.locks().unlock(cid));
                });
                changes.put("read held", () -> {
                    long cid = store.locks().create(content, 0, length, false);
                    assertTrue(store.locks().isReadHeld(cid) && !store.locks().isWriteHeld(cid));
                    assertEquals(Status.OK, store.locks().unlock(cid));
                });
                changes.forEach((name, change) -> assertAwaited(store, name + " of " + length, change));
                store.remove(foreign);
            }
        }
    }

    @Test
    void roomForPinsAndSteps_isAwaitedInNoStripe() {
        try (Store store = open()) {
            for (int length : new int[] {1, 70_000, LONG}) {
                long cid = store.create(new byte[length]);
                assertAwaited(store, "pin of " + length, () -> {
                    try (Pin pin = store.pins().pin(cid)) {
                        pin.segment().set(ValueLayout.JAVA_BYTE, length - 1L, (byte) 7);
                    }
                });
                assertAwaited(store, "unpin of " + length, () -> {
                    store.pins().pin(cid).segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 8);
                    assertEquals(Status.OK, store.pins().unpin(cid));
                });
                assertEquals(Status.NOT_HELD, store.pins().unpin(cid));
            }
            byte[] content = Content.of(LONG, 1);
            long cid = store.create(content);
            Locks locks = store.locks();
            LongFunction<Runnable> none = seed -> () -> assertEquals(Status.OK,
                locks.put(cid, Content.of(LONG, seed), 0, LONG, LockStep.NONE, LockStep.NONE, 0));
            assertAwaited(store, "no step", none.apply(3));
            assertAwaited(store, "lock and unlock", () -> assertEquals(Status.OK,
                locks.put(cid, Content.of(LONG, 4), 0, LONG, LockStep.LOCK_WRITE, LockStep.UNLOCK, 0)));
            assertAwaited(store, "lock and swap", () -> {
                assertEquals(Status.OK,
                    locks.put(cid, Content.of(LONG, 5), 0, LONG, LockStep.LOCK_WRITE, LockStep.SWAP_TO_READ, 0));
                assertTrue(locks.isReadHeld(cid) && !locks.isWriteHeld(cid));
                assertEquals(Status.NOT_HELD,
                    locks.put(cid, content, 0, LONG, LockStep.NONE, LockStep.SWAP_TO_READ, 0));
                none.apply(6).run();
                assertTrue(locks.isReadHeld(cid) && !locks.isWriteHeld(cid));
                assertEquals(Status.OK,
                    locks.put(cid, Content.of(LONG, 7), 0, LONG, LockStep.SWAP_TO_WRITE, LockStep.NONE, 0));
                assertTrue(locks.isWriteHeld(cid));
                assertEquals(Status.OUT_OF_RANGE,
                    locks.put(cid, content, 0, LONG - 1, LockStep.NONE, LockStep.UNLOCK, 0));
                assertEquals(Status.OK,
                    locks.put(cid, Content.of(LONG, 8), 0, LONG, LockStep.NONE, LockStep.UNLOCK, 0));
            });
            assertEquals(Status.NOT_HELD, locks.put(cid, content, 0, LONG, LockStep.NONE, LockStep.UNLOCK, 0));
            assertThrows(IllegalArgumentException.class,
                () -> locks.put(cid, content, 0, LONG, LockStep.NONE, LockStep.LOCK_WRITE, 0));
            assertArrayEquals(Content.of(LONG, 8), store.chunks().get(cid).orElseThrow());
        }
    }

    /** A long chunk is published before it is recorded. If recording fails, nothing of the chunk may be left. */
    @Test
    void longChunksThatAreRefused_leaveNothing() {
        try (Store store = open()) {
            long reserved = store.ids().reserve();
            long cid = store.create(new byte[10]);
            byte[] content = Content.of(LONG, 1);
            AuditReport before = store.audit();
            List<Runnable> changes = List.of(
                () -> store.create(content),
                () -> store.batch().create(LONG, new long[3], 0, 3, true),
                () -> store.ids().createAt(reserved, content, 0, LONG),
                () -> store.ids().createAt(Cid.of(7, 5), content, 0, LONG),
                () -> store.locks().create(content, 0, LONG, true));
            for (Runnable change : changes) {
                for (boolean isLate : new boolean[] {false, true}) {
                    journal.failAfter(isLate ? 1 : 0);
                    journal.atRoom.set(() -> journal.failAfter(0));
                    assertThrows(StoreException.class, change::run);
                }
            }
            assertEquals(before.chunks(), store.audit().chunks());
            assertEquals(1, contents(store).size());
            assertTrue(store.locks().list().isEmpty());
            assertEquals(10, store.size(cid));
        }
    }

    /**
     * A close waits for 10 s, then releases memory that is still being recorded: the zeros read from it must not be
     * recorded.
     */
    @Test
    void closeBesideALongChange_recordsNoZeros() {
        for (int length : new int[] {70_000, LONG}) {
            byte[] before = Content.of(length, 1);
            byte[] after = Content.of(length, 2);
            Map<String, ObjLongConsumer<Store>> changes = new LinkedHashMap<>();
            changes.put("put", (store, cid) -> store.put(cid, after));
            changes.put("putBytes", (store, cid) -> store.putBytes(cid, 0, after, 0, length));
            changes.put("resize", (store, cid) -> store.resize(cid, length + 1L));
            changes.put("field", (store, cid) -> store.fields().putLong(cid, 0, 5));
            changes.put("seal", Store::seal);
            changes.put("edit", (store, cid) -> store.views().edit(cid, editor -> editor.putLong(0, 5)));
            changes.put("long edit", (store, cid) -> store.views().edit(cid, _ -> store.close()));
            changes.put("step", (store, cid) ->
                store.locks().put(cid, after, 0, length, LockStep.NONE, LockStep.NONE, 0));
            changes.put("create", (store, _) -> store.create(after));
            changes.put("createAt", (store, _) -> store.ids().createAt(Cid.of(7, 5), after, 0, length));
            changes.put("pin", (store, cid) -> {
                Pin pin = store.pins().pin(cid);
                pin.segment().set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
                pin.close();
            });
            changes.forEach((name, change) -> {
                RecordingJournal kept = new RecordingJournal().takeWholeChunks();
                Store store = JournaledStores.open(Store.class, TestConfig.platform(Stores.small(),
                    Platform.SYSTEM.withClock(new FakeTime(5_000_000))).build(),
                    kept, _ -> { });
                long cid = store.create(before);
                kept.atRoom.set(store::close);
                assertThrows(IllegalStateException.class, () -> change.accept(store, cid), name);
                assertFalse(store.isOpen(), name);
                try (Store restored = kept.restore(kept.size(), config(), new RecordingJournal())) {
                    assertEquals(1, contents(restored).size(), name);
                    assertArrayEquals(before, restored.chunks().get(cid).orElseThrow(), name + " of " + length);
                }
            });
        }
    }

    /** Like the previous test, with a long value of a collection, which is recorded outside all stripes. */
    @Test
    void closeBesideAGroup_recordsNoZeros() {
        RecordingJournal kept = new RecordingJournal();
        Store store = JournaledStores.open(Store.class, config(), kept, _ -> { });
        ChunkMap<Long, byte[]> map = store.longMap("map", Codecs.BYTES);
        byte[] before = Content.of(LONG, 1);
        map.put(1L, before);
        kept.atRoom.set(store::close);
        assertThrows(IllegalStateException.class, () -> map.put(1L, Content.of(LONG, 2)));
        try (Store restored = kept.restore(kept.size(), config(), new RecordingJournal())) {
            assertArrayEquals(before, restored.longMap("map", Codecs.BYTES).get(1L));
        }
    }

    /** A group is recorded chunk by chunk if another thread has changed or removed one of its chunks. */
    @Test
    void removalRecordedAlone_isOlderThanTheNextUseOfTheIndex() {
        for (boolean isRemoved : new boolean[] {false, true}) {
            try (Store store = open()) {
                CollectionChunks nodes = Stores.nodes(store);
                long disturbed = nodes.create(new byte[8], 0, 8);
                for (int i = 0; i < MANY; i++) {
                    nodes.remove(store.create(new byte[8]));
                }
                for (int i = 0; i < MANY; i++) {
                    store.create(new byte[9]);
                }
                journal.atRoom.set(() -> {
                    if (isRemoved) {
                        store.remove(disturbed);
                        for (int i = 0; i < MANY; i++) {
                            store.create(new byte[10]);
                        }
                    } else {
                        store.put(disturbed, new byte[20]);
                    }
                });
                assertTrue(nodes.endGroup());
                assertSame(store);
            }
        }
    }

    @Test
    void sealedChunk_isSealedAgain() {
        long cid;
        try (Store store = open()) {
            cid = store.create(new byte[8]);
            assertEquals(Status.OK, store.seal(cid));
            assertEquals(Cid.index(cid) + 1, Cid.index(store.createReadOnly(new byte[8])));
        }
        try (Store restored = journal.restore(journal.size(), config(), new RecordingJournal())) {
            assertEquals(Status.READ_ONLY, restored.put(cid, new byte[8]));
            assertEquals(Status.READ_ONLY, restored.put(cid + 1, new byte[8]));
        }
    }

    /** A CID that was issued is never issued again, also after many restarts. */
    @Test
    void cids_areNeverIssuedTwiceAcrossRestarts() {
        Map<Long, Boolean> issued = new HashMap<>();
        SplittableRandom random = Seed.random(5);
        Store store = open();
        for (int restart = 0; restart < RESTARTS; restart++) {
            List<Long> live = new ArrayList<>();
            for (int i = 0; i < 3000; i++) {
                long cid = random.nextInt(5) == 0 ? store.ids().reserve() : store.create(new byte[8]);
                assertFalse(issued.containsKey(cid), () -> Cid.toString(cid));
                issued.put(cid, true);
                if (random.nextInt(3) > 0) {
                    store.remove(cid);
                    store.ids().unreserve(cid);
                } else {
                    live.add(cid);
                }
            }
            store.close();
            store = journal.restore(journal.size(), config(), journal);
            store.audit();
        }
        store.close();
    }

    /**
     * Threads change bytes of a few chunks in all ways, also pins of others while they do. Each recorded entry of bytes
     * follows the entry that it names, and the records have what memory has.
     */
    @Test
    void concurrentChangesOfBytes_followEachOther() throws Exception {
        try (Store store = open()) {
            long[] cids = new long[3];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = store.create(Content.of(i == 0 ? 70_000 : 400, i));
            }
            Threads.runAll(4, number -> {
                SplittableRandom random = new SplittableRandom(number);
                for (int step = 0; step < BYTES_STEPS; step++) {
                    changeBytes(store, cids[random.nextInt(cids.length)], random, number);
                }
            });
            assertSame(store);
            assertTrue(journal.bytesEntries.get() > BYTES_STEPS, () -> journal.bytesEntries + " entries of bytes");
        }
    }

    private static void changeBytes(Store store, long cid, SplittableRandom random, int number) {
        long at = random.nextLong(20) * Long.BYTES;
        switch (random.nextInt(12)) {
            case 0 -> store.put(cid, Content.of(random.nextInt(300, 500), number));
            case 1 -> store.resize(cid, random.nextInt(300, 500));
            case 2 -> {
                try (Pin pin = store.pins().pin(cid)) {
                    pin.segment().set(ValueLayout.JAVA_BYTE, 170 + number, (byte) at);
                }
            }
            case 3 -> store.locks().put(cid, new byte[400], 0, 400, LockStep.NONE, LockStep.NONE, 1_000_000);
            case 4, 5 -> store.views().edit(cid, editor -> editor.putLong(at, editor.getLong(at) + number));
            case 6, 7 -> store.putBytes(cid, at, new byte[] {(byte) number, 2, 3}, 0, 3);
            case 8, 9 -> store.fields().getAndAddInt(cid, at, number);
            default -> store.fields().putLong(cid, at, number);
        }
    }
}
