package io.teff.engine.care;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.Pin;
import io.teff.engine.Store;
import io.teff.engine.Stores;
import io.teff.engine.alloc.Evacuation;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.report.DefragReport;
import io.teff.engine.report.StoreStats;
import io.teff.engine.table.EntryWord;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.Threads;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a defragmentation changes only the addresses of chunks, and frees memory. Method: stores with holes, every kind
 * of chunk and hold, and readers, writers and creators meanwhile.
 */
@Tag("modes")
final class DefragTest {
    private static final int CHUNKS = 60_000;
    private static final int OWN_CHUNKS = 4000;
    private static final int ROUNDS = Form.size(25, 150, 150);
    private static final int CHANGES = 5000;
    private static final int PASSES_PER_AUDIT = 10;

    /** Fills a store, and removes two thirds of its chunks at random; returns the contents of the others. */
    private static Map<Long, byte[]> holey(Store store) {
        SplittableRandom random = Seed.random(1);
        Map<Long, byte[]> model = new HashMap<>();
        for (int i = 0; i < CHUNKS; i++) {
            byte[] content = Content.of(i % 100 == 0 ? 3000 : 8 + 4 * random.nextInt(30), i);
            model.put(i % 50 == 0 ? store.createReadOnly(content) : store.create(content), content);
        }
        for (int nid = 3; nid < 5; nid++) {
            for (int i = 1; i < 3000; i++) {
                byte[] content = Content.of(40, i);
                assertEquals(Status.OK, store.ids().createAt(Cid.of(nid, i), content));
                model.put(Cid.of(nid, i), content);
            }
        }
        model.keySet().removeIf(cid -> random.nextInt(3) > 0 && store.remove(cid) >= 0);
        return model;
    }

    private static void check(Store store, Map<Long, byte[]> model) {
        assertEquals(model.size(), store.audit().chunks());
        model.forEach((cid, content) -> assertArrayEquals(content, store.chunks().get(cid).orElseThrow(),
            () -> Cid.toString(cid)));
    }

    @Test
    void sparseStore_becomesDense_andKeepsEverything() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build())) {
            Map<Long, byte[]> model = holey(store);
            StoreStats before = store.stats();
            DefragReport report = store.defragment();
            check(store, model);
            StoreStats after = store.stats();
            assertTrue(report.pages() > 0 && report.movedChunks() > 0 && report.leftChunks() == 0, report::toString);
            assertEquals(before.usedBytes() - after.usedBytes(), report.freedBytes(), report::toString);
            assertTrue(after.usedBytes() < before.usedBytes() * 0.7, () -> before + " " + after);
            assertEquals(before.payloadBytes(), after.payloadBytes());
            assertEquals(before.committedBytes() - after.committedBytes(), report.returnedBytes());
            model.keySet().forEach(cid -> assertEquals(Status.OK, Math.min(store.remove(cid), 0)));
            assertEquals(0, store.audit().chunks());
        }
    }

    @Test
    void denseStore_isLeftAlone() {
        try (Store store = Stores.open()) {
            DefragReport nothing = store.defragment();
            assertEquals(new DefragReport(0, 0, 0, 0, 0, 0, nothing.timeNs()), nothing);
            for (int i = 0; i < 20_000; i++) {
                store.create(32L);
            }
            assertEquals(0, store.defragment().movedChunks());
        }
    }

    @Test
    void heldAndPinnedChunks_stayWhereTheyAre() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build())) {
            Map<Long, byte[]> model = holey(store);
            Map<Long, Pin> pins = new HashMap<>();
            int held = 0;
            for (long cid : model.keySet()) {
                if (++held % 100 == 1) {
                    pins.put(cid, store.pins().pin(cid));
                } else if (held % 100 == 2) {
                    assertEquals(Status.OK, store.locks().lockRead(cid, 0));
                } else if (held % 100 == 3 && store.locks().lockWrite(cid, 0) == Status.READ_ONLY) {
                    assertEquals(Status.OK, store.locks().lockRead(cid, 0));
                }
            }
            DefragReport report = store.defragment();
            assertTrue(report.leftChunks() > 0 && report.movedChunks() > 0, report::toString);
            pins.forEach((cid, pin) -> {
                assertArrayEquals(model.get(cid), pin.segment().toArray(ValueLayout.JAVA_BYTE));
                pin.close();
            });
            check(store, model);
        }
    }

    @Test
    void inAView_leavesTheViewedChunk() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build())) {
            Map<Long, byte[]> model = holey(store);
            long cid = model.keySet().iterator().next();
            store.views().read(cid, view -> {
                store.defragment();
                byte[] seen = new byte[(int) view.length()];
                view.copyTo(0, seen, 0, seen.length);
                assertArrayEquals(model.get(cid), seen);
            });
            check(store, model);
        }
    }

    /** The free slots of the pages that are being emptied are the only ones left. */
    @Test
    void fullStore_meanwhile_stillTakesWhatFits() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(8 << 20).defragCpuPercent(0).build())) {
            Map<Long, byte[]> model = new HashMap<>();
            for (long cid = store.create(Content.of(100, 0)); !Status.isStatus(cid);
                 cid = store.create(Content.of(100, model.size()))) {
                model.put(cid, Content.of(100, model.size()));
            }
            SplittableRandom random = Seed.random(2);
            model.keySet().removeIf(cid -> random.nextInt(3) > 0 && store.remove(cid) >= 0);
            int room = CHUNKS;
            Evacuation victims = Stores.space(store).allocator.evacuator().begin(1, () -> { });
            assertTrue(victims.pageCount() > 0);
            for (int i = 0; i < room; i++) {
                long cid = store.create(Content.of(100, i));
                if (Status.isStatus(cid)) {
                    break;
                }
                model.put(cid, Content.of(100, i));
            }
            store.audit();
            Stores.space(store).allocator.evacuator().end(victims, () -> { });
            check(store, model);
            assertTrue(Status.isStatus(store.create(100L)), "a slot was left");
        }
    }

    /** The only memory left consists of pages that are being emptied, and that are empty by now. */
    @Test
    void fullStore_meanwhile_takesOtherLengthsFromEmptyVictims() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(8 << 20).defragCpuPercent(0).build())) {
            Map<Long, byte[]> model = new HashMap<>();
            for (long cid = store.create(Content.of(100, 0)); !Status.isStatus(cid);
                 cid = store.create(Content.of(100, model.size()))) {
                model.put(cid, Content.of(100, model.size()));
            }
            SplittableRandom random = Seed.random(2);
            model.keySet().removeIf(cid -> random.nextInt(3) > 0 && store.remove(cid) >= 0);
            assertTrue(Status.isStatus(store.create(5000L)), "no page is free yet");
            Evacuation victims = Stores.space(store).allocator.evacuator().begin(1, () -> { });
            assertTrue(victims.pageCount() > 4);
            model.keySet().removeIf(cid -> victims.contains(EntryWord.address(Stores.space(store).word(cid)))
                && store.remove(cid) >= 0);
            long cid = store.create(Content.of(5000, 1));
            assertFalse(Status.isStatus(cid), "a page that was empty was withheld");
            model.put(cid, Content.of(5000, 1));
            long run = store.create(Content.of(20_000, 2));
            assertFalse(Status.isStatus(run), "a page that was empty was withheld");
            model.put(run, Content.of(20_000, 2));
            store.audit();
            Stores.space(store).allocator.evacuator().end(victims, () -> { });
            check(store, model);
        }
    }

    @Test
    void quietMoment_keepsVictimsAsTheyAre() throws InterruptedException {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).defragCpuPercent(0).build())) {
            Map<Long, byte[]> model = holey(store);
            Evacuation victims = Stores.space(store).allocator.evacuator().begin(1, () -> { });
            assertTrue(victims.pageCount() > 0);
            Thread ender = new Thread(() -> Stores.space(store).allocator.evacuator().end(victims, () -> { }), "ender");
            try (StoreCare.Quiet _ = Stores.care(store).quiet()) {
                ender.start();
                Threads.await("it waits, or has ended",
                    () -> ender.getState() != Thread.State.RUNNABLE && ender.getState() != Thread.State.NEW);
                assertNotEquals(Thread.State.TERMINATED, ender.getState(), "the victims changed in a quiet moment");
            }
            ender.join();
            check(store, model);
        }
    }

    /** Pages that are being emptied, and that are empty by now, are no exception. */
    @Test
    void trim_meanwhile_leavesNothingOfAnEmptyStore() {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).defragCpuPercent(0).build())) {
            Map<Long, byte[]> model = holey(store);
            Evacuation victims = Stores.space(store).allocator.evacuator().begin(1, () -> { });
            assertTrue(victims.pageCount() > 0);
            model.keySet().forEach(store::remove);
            store.trim();
            assertEquals(store.stats().tableBytes(), store.stats().usedBytes());
            Stores.space(store).allocator.evacuator().end(victims, () -> { });
            store.audit();
        }
    }

    /** Each chunk is changed by one thread, which knows its last write. */
    @Test
    void changesMeanwhile_areNotLost() throws InterruptedException {
        try (Store store = Store.open(StoreConfig.builder().memoryLimitBytes(64 << 20).build())) {
            AtomicBoolean done = new AtomicBoolean();
            AtomicInteger passes = new AtomicInteger();
            AtomicLong moved = new AtomicLong();
            Threads.Running defragmenter = Threads.start("defragmenter", ignored -> {
                while (!done.get()) {
                    moved.addAndGet(store.defragment().movedChunks());
                    passes.incrementAndGet();
                }
            });
            Threads.Running auditor = Threads.start("auditor", ignored -> {
                while (!done.get()) {
                    store.audit();
                    int next = passes.get() + PASSES_PER_AUDIT;
                    Threads.await("more passes", () -> done.get() || passes.get() >= next);
                }
            });
            Threads.runAll(2, number -> change(store, Seed.random(number)));
            done.set(true);
            defragmenter.end();
            auditor.end();
            assertTrue(moved.get() > OWN_CHUNKS, () -> "only " + moved + " chunks were moved");
            assertEquals(0, store.audit().chunks());
        }
    }

    /** Again and again: many chunks, of which few stay and are changed while they are being moved. */
    private static void change(Store store, SplittableRandom random) {
        byte[] buffer = new byte[600];
        for (int round = 0; round < ROUNDS; round++) {
            long[] all = new long[OWN_CHUNKS];
            for (int i = 0; i < OWN_CHUNKS; i++) {
                all[i] = store.create(Content.of(500, i));
            }
            long[] cids = Arrays.stream(all).filter(cid -> random.nextInt(4) == 0 || store.remove(cid) < 0).toArray();
            byte[][] last = new byte[cids.length][];
            for (int i = 0; i < CHANGES; i++) {
                int at = random.nextInt(cids.length);
                if (last[at] != null) {
                    int length = store.get(cids[at], buffer);
                    assertArrayEquals(last[at], Arrays.copyOf(buffer, Math.max(length, 0)), "a change is lost");
                }
                last[at] = Content.of(random.nextInt(8) == 0 ? 498 : 500, i);
                assertEquals(Status.OK, store.put(cids[at], last[at]));
            }
            Arrays.stream(cids).forEach(cid -> assertTrue(store.remove(cid) > 0));
        }
    }
}
