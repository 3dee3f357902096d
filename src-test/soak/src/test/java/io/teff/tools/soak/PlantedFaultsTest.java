package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.CidCursor;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import io.teff.test.kit.tier.LongTier;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: each kind of fault fails a short soak run, with a message that names the fault.
 *
 * <p>Method: an observer plants a small fault after each cycle; the run itself is unchanged. Without a planted fault it
 * passes.
 */
final class PlantedFaultsTest {
    private static final double MINUTES = 0.12;
    private static final double WARM_UP_MINUTES = 0.2;
    private static final SoakPlan PLAN = plan(MINUTES);
    /** Cycles that are long relative to the holds of the plant: each window must contain whole holds. */
    private static final SoakPlan SLOW_PLAN = new SoakPlan(0.5, 300_000, 2, 16, 128, 1_000, 1);
    private static final long LEAK_BYTES = 96 << 20;
    private static final int SLOW_CHUNKS = 64;
    /** Final duration of a hold: the larger of a minimum, and a multiple of the latency of the machine. */
    private static final long SLOW_NS = TimeUnit.MILLISECONDS.toNanos(80);
    private static final double SLOW_FACTOR = 20;
    private static final double MINUTE_SECONDS = TimeUnit.MINUTES.toSeconds(1);
    private static final int LOCK_COUNT_MAX = 1 << 20;
    /** The cycle in which a fault that shows at once is planted. */
    private static final long CYCLE = 3;

    @TempDir
    private static Path folder;

    private final CountDownLatch ended = new CountDownLatch(1);
    private final List<AutoCloseable> planted = new ArrayList<>();

    private static SoakPlan plan(double minutes) {
        return new SoakPlan(minutes, 4_000, 2, 16, 128, 500, 1);
    }

    /** A planted fault, run after each cycle. */
    private interface Plant {
        void grow(Store store, Sample sample);
    }

    /** A leak in even steps, of the same size in all, whether the machine makes many cycles or few. */
    private static final class Leak {
        private long leaked;

        /** Returns the bytes to be leaked after a cycle. */
        int more(Sample sample) {
            double over = Math.min((double) sample.cycle() / SoakRun.CYCLES_MIN,
                sample.seconds() / (PLAN.minutes() * MINUTE_SECONDS));
            long more = Math.max(1, (long) (over * LEAK_BYTES) - leaked);
            leaked += more;
            return (int) more;
        }
    }

    private static SoakReport run(SoakPlan plan, Plant plant) throws InterruptedException {
        StoreConfig config = StoreConfig.builder().name("planted").nid(1).memoryLimitBytes(1 << 30).build();
        return SoakRun.run(plan, config, folder, "again", new SoakObserver() {
            private Store store = Store.open(StoreConfig.builder().memoryLimitBytes(4 << 20).build());

            @Override
            public void begins(Store soaked) {
                store.close();
                store = soaked;
            }

            @Override
            public void cycled(Sample sample) {
                plant.grow(store, sample);
            }
        });
    }

    private static void assertRed(SoakReport report, String... words) {
        assertFalse(report.ok(), "the fault was not found");
        for (String word : words) {
            assertTrue(String.valueOf(report.failure()).contains(word), report::failure);
        }
    }

    private static String grows(Criterion criterion) {
        return criterion.label() + " grows: ";
    }

    /** Warms up compilers and class loading, so that bytes of the first test grow like those of the others. */
    @BeforeAll
    static void warmUp() throws InterruptedException {
        if (Form.isFull()) {
            run(plan(WARM_UP_MINUTES), (store, sample) -> {});
        }
    }

    @AfterEach
    void pullOut() throws Exception {
        ended.countDown();
        for (AutoCloseable one : planted) {
            one.close();
        }
    }

    @Test
    @LongTier("7 s, and a run that memory of a busy machine can make red. The lane soak itself is a run without "
        + "a plant.")
    void nothing_planted_passes() throws Exception {
        SoakReport report = run(PLAN, (store, sample) -> {});
        assertTrue(report.ok(), report::toString);
    }

    @Test
    @FullTier("7 s, and a warm-up of 12 s before. descriptors_leaked_fail shows that a figure which grows is "
        + "red, and DriftTest judges bytes.")
    void nativeMemory_growing_fails() throws Exception {
        Arena arena = Arena.ofShared();
        planted.add(arena);
        Leak leak = new Leak();
        assertRed(run(PLAN, (store, sample) -> arena.allocate(leak.more(sample)).fill((byte) 1)),
            grows(Criterion.RESIDENT));
    }

    @Test
    @FullTier("7 s, and a warm-up of 12 s before. descriptors_leaked_fail shows that a figure which grows is "
        + "red, and DriftTest judges bytes.")
    void javaHeap_growing_fails() throws Exception {
        List<byte[]> kept = new ArrayList<>();
        planted.add(kept::clear);
        Leak leak = new Leak();
        assertRed(run(PLAN, (store, sample) -> kept.add(new byte[leak.more(sample)])), grows(Criterion.HEAP));
    }

    @Test
    @LongTier("7 s. descriptors_leaked_fail has the same criterion for another count.")
    void threads_leaked_fail() throws Exception {
        assertRed(run(PLAN, (store, sample) -> {
            Thread thread = new Thread(this::awaitEnd, "planted-" + sample.cycle());
            thread.setDaemon(true);
            thread.start();
        }), grows(Criterion.THREADS));
    }

    private void awaitEnd() {
        try {
            ended.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void descriptors_leaked_fail() throws Exception {
        Path file = Files.createFile(folder.resolve("open"));
        assertRed(run(PLAN, (store, sample) -> planted.add(open(file))), grows(Criterion.DESCRIPTORS));
    }

    private static InputStream open(Path file) {
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Chunks stay locked for some milliseconds, and for longer in each cycle. */
    @Test
    @LongTier("30 s, and cycles that are long beside the holds. DriftTest judges latencies that grow.")
    void gets_becomingSlower_fail() throws Exception {
        AtomicLong holdNs = new AtomicLong();
        List<Long> idles = new ArrayList<>();
        boolean[] started = {false};
        Thread[] slow = {null};
        SoakReport report;
        try {
            report = run(SLOW_PLAN, (store, sample) -> {
                idles.add(sample.idleP999Ns());
                double machineNs = Drift.median(idles.stream().mapToDouble(Long::doubleValue).toArray());
                double progress = sample.seconds() / (SLOW_PLAN.minutes() * MINUTE_SECONDS);
                holdNs.set((long) (progress * Math.max(SLOW_NS, SLOW_FACTOR * machineNs)));
                if (!started[0]) {
                    started[0] = true;
                    slow[0] = new Thread(() -> lockNowAndThen(store, holdNs), "slow");
                    slow[0].setDaemon(true);
                    slow[0].start();
                }
            });
        } finally {
            ended.countDown();
            if (slow[0] != null) {
                slow[0].join();
            }
        }
        String judged = report.criteria() + " " + report.samples();
        assertTrue(report.criteria().stream().anyMatch(one -> one.name().equals(Criterion.GET.label())
            && one.state().equals("FAILED")), judged);
    }

    /** Holds for four fifths of the time, so that each window contains a hold. */
    private void lockNowAndThen(Store store, AtomicLong holdNs) {
        long[] cids = chunksOf(store, LatencyProbe.firstNumber(PLAN), SLOW_CHUNKS);
        for (int i = 0; i < LOCK_COUNT_MAX && ended.getCount() > 0 && store.isOpen(); i++) {
            long ns = holdNs.get();
            try {
                for (long cid : cids) {
                    store.locks().lockWrite(cid, Timeouts.LOCK_NS);
                }
                LockSupport.parkNanos(ns);
                for (long cid : cids) {
                    store.locks().unlock(cid);
                }
            } catch (IllegalStateException e) {
                return;                                         // the store was closed meanwhile
            }
            LockSupport.parkNanos(ns / 4);
        }
    }

    private static long[] chunksOf(Store store, long firstNumber, int count) {
        long[] cids = new long[count];
        int found = 0;
        CidCursor cursor = store.ids().cursor();
        for (long cid = cursor.next(); cid != Cid.NONE && found < count; cid = cursor.next()) {
            if (store.fields().getLong(cid, 0, -1) - firstNumber < LatencyProbe.SLOTS
                && store.fields().getLong(cid, 0, -1) >= firstNumber) {
                cids[found++] = cid;
            }
        }
        return cids;
    }

    // ---- faults detected at once ----

    @Test
    void chunk_tooMany_fails() throws Exception {
        assertRed(run(PLAN, (store, sample) -> {
            if (sample.cycle() == CYCLE) {
                store.create(24);
            }
        }), "the store counts ", ", but the run has ");
    }

    @Test
    void byte_corrupted_fails() throws Exception {
        assertRed(run(PLAN, (store, sample) -> {
            if (sample.cycle() == CYCLE) {
                long cid = chunksOf(store, LatencyProbe.firstNumber(PLAN), 1)[0];
                byte right = store.fields().getByte(cid, 13, (byte) 0);
                store.fields().putByte(cid, 13, (byte) (right ^ 4));
            }
        }), "byte 13 of ");
    }

    /** The first detection counts: a worker or the probe, by a status or an exception, or the comparison of counts. */
    @Test
    void chunk_lost_fails() throws Exception {
        SoakReport report = run(PLAN, (store, sample) -> {
            if (sample.cycle() == CYCLE) {
                store.remove(chunksOf(store, 0, 1)[0]);
            }
        });
        assertRed(report);
        String failure = String.valueOf(report.failure());
        assertTrue(failure.contains("ABSENT") || failure.contains("does not exist")
            || failure.contains("the store counts "), failure);
    }

    @Test
    void update_lost_fails() throws Exception {
        assertRed(run(PLAN, (store, sample) -> {
            if (sample.cycle() == CYCLE) {
                CidCursor cursor = store.ids().cursor();
                for (long cid = cursor.next(); cid != Cid.NONE; cid = cursor.next()) {
                    if (store.fields().getLong(cid, 8, 1) == 0) {
                        store.fields().putLong(cid, 8, 1);      // the second value of a shared chunk that is new
                    }
                }
            }
        }), "compareAndSetLong of shared chunk");
    }

    /** The first detection counts: the probe that cannot put, or the check for left-over pins. */
    @Test
    void pin_forgotten_fails() throws Exception {
        SoakReport report = run(PLAN, (store, sample) -> {
            if (sample.cycle() == CYCLE) {
                store.pins().pin(chunksOf(store, LatencyProbe.firstNumber(PLAN), 1)[0]);
            }
        });
        String failure = String.valueOf(report.failure());
        assertTrue(failure.endsWith(": PINNED") || failure.startsWith("a lock or pin is left over"), failure);
    }
}
