package io.teff.engine.care;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.FakeTime;
import io.teff.engine.Pin;
import io.teff.engine.Store;
import io.teff.engine.Stores;
import io.teff.engine.TaskThreads;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.config.TestConfig;
import io.teff.engine.error.Status;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Threads;
import io.teff.engine.report.StoreStats;
import io.teff.engine.table.EntryWord;
import io.teff.test.kit.Content;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

/**
 * Goal: memory follows the data without a call by the application, at the agreed cost. Method: mass removes with an
 * agent that runs inside the remover's call, so that each run is the same; a real thread where concurrency matters.
 */
@Tag("modes")
final class DefragAgentTest {
    private static final int CHUNKS = 300_000;
    private static final int BYTES_MAX = 128;
    /** Number of removals between two checks of the slack. */
    private static final int LOOK_EACH = Form.size("teff.defrag.looks", 16, 4);
    /** Slack that may remain: the start line, the pages that are being filled, and the slack that one check misses. */
    private static final long SLACK_BYTES_MAX = 14L << 20;

    private final AtomicInteger runs = new AtomicInteger();
    private final Threads inline = new TaskThreads((name, task) -> {
        runs.incrementAndGet();
        task.run();
    });

    private static StoreConfig.Builder config() {
        return StoreConfig.builder().memoryLimitBytes(256 << 20);
    }

    private static Map<Long, byte[]> fill(Store store) {
        SplittableRandom random = Seed.random(3);
        Map<Long, byte[]> model = new HashMap<>();
        for (int i = 0; i < CHUNKS; i++) {
            byte[] content = Content.of(16 + random.nextInt(BYTES_MAX - 15), i);
            model.put(store.create(content), content);
        }
        return model;
    }

    private static void removeNineOfTen(Store store, Map<Long, byte[]> model) {
        SplittableRandom random = Seed.random(4);
        model.keySet().removeIf(cid -> random.nextInt(10) > 0 && store.remove(cid) >= 0);
    }

    private static long slack(Store store) {
        StoreStats stats = store.stats();
        return stats.committedBytes() - stats.takenBytes()
            - stats.tableBytes();
    }

    private static void check(Store store, Map<Long, byte[]> model) {
        assertEquals(model.size(), store.audit().chunks());
        model.forEach((cid, content) -> assertArrayEquals(content, store.chunks().get(cid).orElseThrow(),
            () -> Cid.toString(cid)));
    }

    @Test
    void massRemove_memoryFollowsByItself() {
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withThreads(inline)).build())) {
            Map<Long, byte[]> model = fill(store);
            long before = store.stats().usedBytes();
            int runsBefore = runs.get();
            int removed = 0;
            SplittableRandom random = Seed.random(4);
            for (long cid : List.copyOf(model.keySet())) {
                if (random.nextInt(10) > 0) {
                    assertTrue(store.remove(cid) >= 0);
                    model.remove(cid);
                    assertTrue(removed++ % LOOK_EACH != 0 || slack(store) < SLACK_BYTES_MAX,
                        () -> "slack=" + slack(store));
                }
            }
            check(store, model);
            assertTrue(runs.get() > runsBefore, "the agent never ran");
            assertTrue(store.stats().usedBytes() < before / 2, () -> before + " " + store.stats());
        }
    }

    @Test
    void shrinkingResizes_memoryFollowsByItself() {
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withThreads(inline)).build())) {
            Map<Long, byte[]> model = fill(store);
            model.replaceAll((cid, content) -> {
                assertEquals(0, store.resize(cid, 8));
                return Arrays.copyOf(content, 8);
            });
            check(store, model);
            assertTrue(slack(store) < SLACK_BYTES_MAX, () -> "slack=" + slack(store));
        }
    }

    /** Only table pages become free. */
    @Test
    void chunksWithoutBytesAndReservedIds_memoryFollowsByItself() {
        for (boolean reserved : new boolean[] {false, true}) {
            try (Store store = Store.open(TestConfig.platform(TestConfig.defragSlackBytes(config(), 1 << 20),
                Platform.SYSTEM.withThreads(inline)).build())) {
                long[] cids = new long[500_000];
                for (int i = 0; i < cids.length; i++) {
                    cids[i] = reserved ? store.ids().reserve() : store.create(0L);
                }
                int runsBefore = runs.get();
                for (long cid : cids) {
                    assertEquals(0, reserved ? store.ids().unreserve(cid) : store.remove(cid));
                }
                assertTrue(runs.get() > runsBefore, "the agent never ran");
                assertTrue(slack(store) < 2 << 20, () -> "slack=" + slack(store));
                store.audit();
            }
        }
    }

    /** Each size class has a page of up to 256 KiB that was being filled; no thread fills these pages any more. */
    @Test
    void manyLengths_removed_leaveNoUnfilledPages() {
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withThreads(inline)).build())) {
            SplittableRandom random = Seed.random(3);
            List<Long> cids = new ArrayList<>();
            for (int i = 0; i < 12_000; i++) {
                cids.add(store.create((long) random.nextInt(3_000, 16_000)));
            }
            cids.removeIf(cid -> random.nextInt(3) > 0 && store.remove(cid) >= 0);
            store.defragment();
            StoreStats stats = store.stats();
            assertTrue(slack(store) < stats.takenBytes() * 2 / 5, () -> "slack=" + slack(store) + " " + stats);
            store.audit();
        }
    }

    @Test
    void fewLargeChunks_memoryFollowsByItself() {
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withThreads(inline)).build())) {
            long[] cids = new long[60];
            for (int i = 0; i < cids.length; i++) {
                cids[i] = store.create(1L << 20);
            }
            for (int i = 0; i < cids.length / 2; i++) {
                assertEquals(1 << 20, store.remove(cids[i]));
            }
            assertTrue(slack(store) < SLACK_BYTES_MAX, () -> "after removes, slack=" + slack(store));
            for (int i = cids.length / 2; i < cids.length; i++) {
                assertEquals(0, store.resize(cids[i], 16));
            }
            assertTrue(slack(store) < SLACK_BYTES_MAX, () -> "after resizes, slack=" + slack(store));
            store.audit();
        }
    }

    @Test
    void noThreadToBeHad_removesGoOn_andALaterLookTriesAgain() {
        AtomicInteger refusals = new AtomicInteger(1);
        Threads scarce = new TaskThreads((name, task) -> {
            if (name.startsWith("teff-defrag") && refusals.getAndDecrement() > 0) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            task.run();
        });
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withThreads(scarce)).build())) {
            Map<Long, byte[]> model = fill(store);
            removeNineOfTen(store, model);
            check(store, model);
            assertTrue(refusals.get() < 0, "no check tried again");
        }
    }

    @Test
    void noShare_nothingHappens() {
        try (Store store = Store.open(TestConfig.platform(config().defragCpuPercent(0),
            Platform.SYSTEM.withThreads(inline))
            .build())) {
            Map<Long, byte[]> model = fill(store);
            int runsBefore = runs.get();
            removeNineOfTen(store, model);
            assertEquals(runsBefore, runs.get());
            assertTrue(slack(store) > SLACK_BYTES_MAX, () -> "slack=" + slack(store));
            assertTrue(store.defragment().freedBytes() > SLACK_BYTES_MAX / 2);
        }
    }

    /** Slack that cannot be freed must not start pass after pass. */
    @Test
    @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
    void pinnedChunks_areNotTriedForEver() {
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withThreads(inline)).build())) {
            Map<Long, byte[]> model = fill(store);
            SplittableRandom random = Seed.random(4);
            List<Pin> pins = new ArrayList<>();
            model.keySet().forEach(cid -> {
                if (random.nextInt(10) == 0) {
                    pins.add(store.pins().pin(cid));
                }
            });
            int runsBefore = runs.get();
            model.keySet().removeIf(cid -> store.remove(cid) >= 0);
            check(store, model);
            assertTrue(runs.get() - runsBefore < 40, () -> (runs.get() - runsBefore) + " passes for nothing");
            pins.forEach(Pin::close);
        }
    }

    /** A clock that moves at each rest, and a little at each reading, which stands for the work of the agent. */
    private static final class BusyTime implements Clock {
        private final FakeTime time = new FakeTime();
        private long workedNs;
        private int rests;
        private LongConsumer onRest = ns -> { };

        @Override
        public long nowNs() {
            workedNs += 400_000;
            return time.nowNs() + workedNs;
        }

        @Override
        public void park(Object blocker, long ns) {
            rests++;
            onRest.accept(ns);
            time.park(blocker, ns);
        }

        /** Returns the share of the time that a task works. */
        double share(Runnable task) {
            long restedNs = time.nowNs();
            long startNs = nowNs();
            task.run();
            return 1 - (double) (time.nowNs() - restedNs) / (nowNs() - startNs);
        }
    }

    private static Threads keeping(AtomicReference<Runnable> work) {
        return new TaskThreads((name, task) -> {
            if (name.startsWith("teff-defrag")) {
                work.set(task);
            } else {
                task.run();
            }
        });
    }

    @Test
    void agent_keepsToItsShare() {
        AtomicReference<Runnable> work = new AtomicReference<>();
        BusyTime time = new BusyTime();
        try (Store store = Store.open(TestConfig.platform(config().defragCpuPercent(10),
            Platform.SYSTEM.withClock(time).withThreads(keeping(work))).build())) {
            Map<Long, byte[]> model = fill(store);
            SplittableRandom random = Seed.random(4);
            for (long cid : List.copyOf(model.keySet())) {
                if (work.get() != null) {
                    break;
                }
                if (random.nextInt(4) > 0) {
                    assertTrue(store.remove(cid) >= 0);
                    model.remove(cid);
                }
            }
            double share = time.share(work.get());
            assertTrue(share > 0.05 && share < 0.2, "share=" + share);
            check(store, model);
        }
    }

    /** A thread on the same processor waits for at most a few moves. */
    @Test
    void agent_looksAtTheClockAgainAndAgain_whileItMoves() {
        AtomicReference<Runnable> work = new AtomicReference<>();
        BusyTime time = new BusyTime();
        try (Store store = Store.open(TestConfig.platform(config().defragCpuPercent(10),
            Platform.SYSTEM.withClock(time).withThreads(keeping(work))).build())) {
            Map<Long, byte[]> model = fill(store);
            removeNineOfTen(store, model);
            Map<Long, Long> before = new HashMap<>();
            model.keySet().forEach(cid -> before.put(cid, EntryWord.address(Stores.space(store).word(cid))));
            int restsBefore = time.rests;
            work.get().run();
            long moved = before.keySet().stream()
                .filter(cid -> EntryWord.address(Stores.space(store).word(cid)) != before.get(cid)).count();
            assertTrue(moved > 1000, () -> "moved=" + moved);
            int rests = time.rests - restsBefore;
            assertTrue(rests >= moved / 16, () -> "moved=" + moved + " rests=" + rests);
            check(store, model);
        }
    }

    /** Half the way between the lines. */
    private static long middle(Store store) {
        return (startLine(store) + hardLine(store)) / 2;
    }

    private static long startLine(Store store) {
        StoreStats stats = store.stats();
        return (8L << 20) + (stats.takenBytes() + stats.tableBytes()) / 100 * 3;
    }

    private static long hardLine(Store store) {
        StoreStats stats = store.stats();
        return (24L << 20) + (stats.takenBytes() + stats.tableBytes()) / 100 * 6;
    }

    @Test
    void agent_worksWithoutRest_whenMuchIsUnused() {
        AtomicReference<Runnable> work = new AtomicReference<>();
        BusyTime time = new BusyTime();
        try (Store store = Store.open(TestConfig.platform(config().defragCpuPercent(10),
            Platform.SYSTEM.withClock(time).withThreads(keeping(work))).build())) {
            Map<Long, byte[]> model = fill(store);
            removeNineOfTen(store, model);
            assertTrue(slack(store) > middle(store) + (1 << 20), () -> "slack=" + slack(store));
            time.onRest = ns -> assertTrue(ns == 0 || slack(store) <= middle(store) + (1 << 20), "a rest of " + ns);
            work.get().run();
            assertTrue(slack(store) < middle(store), () -> "slack=" + slack(store));
            check(store, model);
        }
    }

    /** The agent does not run. */
    @Test
    void resizers_waitTheLongerTheMoreIsUnused() {
        AtomicReference<Runnable> work = new AtomicReference<>();
        BusyTime time = new BusyTime();
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withClock(time)
            .withThreads(keeping(work))).build())) {
            long[] cids = new long[CHUNKS];
            for (int i = 0; i < CHUNKS; i++) {
                cids[i] = store.create(200L);
            }
            int[] most = new int[3];
            SplittableRandom random = Seed.random(4);
            for (long cid : cids) {
                if (random.nextInt(10) == 0) {
                    continue;
                }
                int before = time.rests;
                assertEquals(0, store.resize(cid, 8));
                if (time.rests == before && random.nextInt(100) > 0) {
                    continue;
                }
                long above = slack(store) - hardLine(store);
                int band = above <= 0 ? 0 : above < 3 << 20 ? 1 : above > 18 << 20 ? 2 : -1;
                if (band >= 0) {
                    most[band] = Math.max(most[band], time.rests - before);
                }
            }
            assertArrayEquals(new int[] {0, 1, 4}, most);
        }
    }

    /** The agent does not run: waiting for it would be waiting for ever. */
    @Test
    void removers_neverWait() {
        AtomicReference<Runnable> work = new AtomicReference<>();
        BusyTime time = new BusyTime();
        try (Store store = Store.open(TestConfig.platform(config(), Platform.SYSTEM.withClock(time)
            .withThreads(keeping(work))).build())) {
            long[] cids = new long[CHUNKS];
            assertEquals(CHUNKS, store.batch().create(200, cids, 0, CHUNKS, true));
            SplittableRandom random = Seed.random(4);
            long[] others = Arrays.stream(cids).filter(cid -> random.nextInt(10) > 0 && store.remove(cid) < 0)
                .toArray();
            assertEquals(0, others.length);
            long[] left = Arrays.stream(cids).filter(store::exists).limit(CHUNKS / 20).toArray();
            assertEquals(left.length, store.batch().remove(left, 0, left.length, new long[left.length]));
            assertTrue(slack(store) > hardLine(store), () -> "slack=" + slack(store));
            assertEquals(0, time.rests);
            assertNotNull(work.get(), "the agent was not started");
        }
    }

    /** The agent does not run; nearly all memory is free, in slots of a length that is not asked for. */
    @Test
    void changeThatFindsNoMemory_makesRoomItself() {
        AtomicReference<Runnable> work = new AtomicReference<>();
        for (int kind = 0; kind < 3; kind++) {
            try (Store store = Store.open(TestConfig.platform(config().memoryLimitBytes(128 << 20),
                Platform.SYSTEM.withThreads(keeping(work))).build())) {
                List<Long> cids = new ArrayList<>();
                for (long cid = store.create(100L); cid != Status.FULL; cid = store.create(100L)) {
                    cids.add(cid);
                }
                SplittableRandom random = Seed.random(4);
                cids.removeIf(cid -> random.nextInt(10) > 0 && store.remove(cid) >= 0);
                byte[] content = new byte[500];
                for (long cid : cids) {
                    long result = switch (kind) {
                        case 0 -> Math.min(store.create(content), Status.OK);
                        case 1 -> store.put(cid, content);
                        default -> store.resize(cid, content.length);
                    };
                    assertEquals(Status.OK, result, Status.name((int) result));
                }
                store.audit();
            }
        }
    }

    @Test
    void close_whileTheAgentWorks_endsIt() throws InterruptedException {
        List<Thread> threads = new ArrayList<>();
        Threads real = new TaskThreads((name, task) -> {
            Thread thread = Thread.ofPlatform().daemon().name(name).start(task);
            synchronized (threads) {
                threads.add(thread);
            }
        });
        Store store = Store.open(TestConfig.platform(TestConfig.defragSlackBytes(config(), 0),
            Platform.SYSTEM.withThreads(real)).build());
        removeNineOfTen(store, fill(store));
        store.close();
        synchronized (threads) {
            assertFalse(threads.isEmpty());
            for (Thread thread : threads) {
                thread.join();
            }
        }
    }

    @Test
    void badShares_areRefused() {
        assertThrows(IllegalArgumentException.class, () -> StoreConfig.builder().defragCpuPercent(-1));
        assertThrows(IllegalArgumentException.class, () -> StoreConfig.builder().defragCpuPercent(101));
        assertEquals(25, StoreConfig.defaults().defragCpuPercent());
        assertEquals(7, StoreConfig.builder().defragCpuPercent(7).build().toBuilder().build().defragCpuPercent());
    }
}
