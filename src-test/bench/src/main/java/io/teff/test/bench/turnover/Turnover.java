package io.teff.test.bench.turnover;

import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.report.DefragReport;
import io.teff.engine.report.StoreStats;
import io.teff.test.bench.load.PacedLoad;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The phases: growth under a load of a fixed rate; turnovers, in each of which half of the chunks are removed at random
 * and chunks of other lengths take their place; removes under a load of a fixed rate; the removal of nine tenths. Then
 * gets with and without a defragmentation beside them. Each chunk begins with its place in the list of CIDs, so that
 * every get is checked.
 */
final class Turnover {
    private static final int LENGTH_MIN = 16;
    private static final int LENGTHS = 113;
    private static final int NARROW_LENGTHS = 50;
    private static final int STEP = 37;
    private static final int REMOVED_OF_TEN = 9;
    private static final long SETTLE_POLL_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final double SETTLED = 1.3;
    private static final int GETS_PER_LOOK = 1024;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double MEBIBYTE = 1 << 20;

    private final int chunks;
    private final int turns;
    private final long rate;
    private final long getsNs;
    private final long settleNsMax;
    private final Consumer<String> progress;
    private final Map<String, Object> figures = new LinkedHashMap<>();
    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] content = new byte[LENGTH_MIN + LENGTHS];
    private final long[] cids;

    Turnover(int chunks, int turns, long rate, long getsNs, long settleNsMax, Consumer<String> progress) {
        this.chunks = chunks;
        this.turns = turns;
        this.rate = rate;
        this.getsNs = getsNs;
        this.settleNsMax = settleNsMax;
        this.progress = progress;
        cids = new long[chunks];
        Arrays.fill(cids, Cid.NONE);
    }

    Map<String, Object> run() throws InterruptedException {
        warmUp();
        PacedLoad.report(figures, "idle", PacedLoad.run(rate, chunks, number -> { }));
        long before = ResidentSet.now();
        try (Store store = open(StoreConfig.builder())) {
            ResidentSet resident = new ResidentSet(store, before);
            progress.accept("growth at " + rate + " creates per second");
            PacedLoad.report(figures, "growth", PacedLoad.run(rate, chunks, place ->
                create(store, (int) place, LENGTH_MIN, LENGTHS)));
            turnOver(store, resident);
            removeAtRate(store);
            removeMost(store, resident);
            resident.end();
            store.audit();
        }
        try (Store store = open(StoreConfig.builder().defragCpuPercent(0))) {
            getsBesideDefragmentation(store);
        }
        return figures;
    }

    private static Store open(StoreConfig.Builder config) {
        return Store.open(config.name("turnover").build());
    }

    private void warmUp() {
        try (Store store = open(StoreConfig.builder())) {
            int count = Math.min(chunks, 1_000_000);
            for (int place = 0; place < count; place++) {
                create(store, place, LENGTH_MIN, LENGTHS);
            }
            for (int place = 0; place < count; place++) {
                get(store, place, content);
                remove(store, place);
            }
        }
    }

    // ---- one chunk ----

    private void create(Store store, int place, int lengthMin, int lengths) {
        int length = lengthMin + random.nextInt(lengths);
        content[0] = (byte) place;
        content[1] = (byte) (place >> Byte.SIZE);
        long cid = store.create(content, 0, length);
        if (Status.isStatus(cid)) {
            throw new IllegalStateException("place=" + place + ": " + Status.name(cid));
        }
        cids[place] = cid;
    }

    private void get(Store store, int place, byte[] target) {
        int length = store.get(cids[place], target);
        if (length < LENGTH_MIN || target[0] != (byte) place || target[1] != (byte) (place >> Byte.SIZE)) {
            throw new IllegalStateException("place=" + place + " has length=" + length);
        }
    }

    private void remove(Store store, int place) {
        if (store.remove(cids[place]) < LENGTH_MIN) {
            throw new IllegalStateException("place=" + place + " was not there");
        }
        cids[place] = Cid.NONE;
    }

    // ---- turnovers ----

    private void turnOver(Store store, ResidentSet resident) {
        List<Double> shares = new ArrayList<>();
        List<Double> payloadShares = new ArrayList<>();
        double removeNs = 0;
        double refillNs = 0;
        long changed = 0;
        resident.takeWorstOfLive();
        resident.takeWorstOfPayload();
        for (int turn = 1; turn <= turns; turn++) {
            long start = System.nanoTime();
            for (int place = 0; place < chunks; place++) {
                if (random.nextBoolean()) {
                    remove(store, place);
                }
            }
            long removed = System.nanoTime();
            int lengthMin = turn % 2 == 0 ? LENGTH_MIN : LENGTH_MIN + turn * STEP % (LENGTHS - NARROW_LENGTHS);
            int lengths = turn % 2 == 0 ? LENGTHS : NARROW_LENGTHS;
            for (int place = 0; place < chunks; place++) {
                if (cids[place] == Cid.NONE) {
                    create(store, place, lengthMin, lengths);
                    changed++;
                }
            }
            refillNs += System.nanoTime() - removed;
            removeNs += removed - start;
            StoreStats stats = store.stats();
            shares.add((double) ResidentSet.liveBytes(stats) / stats.committedBytes());
            payloadShares.add((double) stats.payloadBytes() / stats.committedBytes());
            progress.accept("turnover %d: live/committed %.3f, chunks of %d to %d B".formatted(turn, shares.getLast(),
                lengthMin, lengthMin + lengths - 1));
        }
        figures.put("turnover live/committed, each", shares);
        figures.put("turnover payload/committed, each", payloadShares);
        figures.put("turnover worst (RSS - 64 MiB)/live", resident.takeWorstOfLive());
        figures.put("turnover worst (RSS - 64 MiB)/payload", resident.takeWorstOfPayload());
        figures.put("turnover M removes/s", changed * 1000 / removeNs);
        figures.put("turnover M creates/s", changed * 1000 / refillNs);
    }

    // ---- removes ----

    private void removeAtRate(Store store) {
        progress.accept("removes at " + rate + " per second");
        int half = chunks / 2;
        PacedLoad.report(figures, "free", PacedLoad.run(rate, half, place -> remove(store, (int) place)));
        for (int place = 0; place < half; place++) {
            create(store, place, LENGTH_MIN, LENGTHS);
        }
    }

    private void removeMost(Store store, ResidentSet resident) {
        progress.accept("removing nine of ten");
        long start = System.nanoTime();
        for (int place = 0; place < chunks; place++) {
            if (random.nextInt(10) < REMOVED_OF_TEN) {
                remove(store, place);
            }
        }
        long end = System.nanoTime();
        figures.put("mass remove s", (end - start) / SECOND_NS);
        StoreStats stats = store.stats();
        long needed = stats.payloadBytes() + stats.tableBytes();
        while (resident.grownBytes() > SETTLED * needed && System.nanoTime() - end < settleNsMax) {
            LockSupport.parkNanos(SETTLE_POLL_NS);
        }
        figures.put("mass remove settled after s", (System.nanoTime() - end) / SECOND_NS);
        LockSupport.parkNanos(Math.min(settleNsMax, TimeUnit.SECONDS.toNanos(1)));
        figures.put("mass remove RSS MiB", resident.grownBytes() / MEBIBYTE);
        figures.put("mass remove payload MiB", stats.payloadBytes() / MEBIBYTE);
        figures.put("mass remove table MiB", stats.tableBytes() / MEBIBYTE);
        figures.put("mass remove RSS/(payload + table)", (double) resident.grownBytes() / needed);
        figures.put("mass remove RSS/payload", (double) resident.grownBytes() / stats.payloadBytes());
    }

    // ---- gets beside a defragmentation ----

    private void getsBesideDefragmentation(Store store) throws InterruptedException {
        progress.accept("gets beside a defragmentation");
        for (int place = 0; place < chunks; place++) {
            create(store, place, LENGTH_MIN, LENGTHS);
        }
        makeHoles(store);
        long getRate = rate / 4;
        long getCount = (long) (getRate * (getsNs / SECOND_NS));
        Histogram without = PacedLoad.run(getRate, getCount, number -> getAny(store, content));
        Histogram besideBusy = new Histogram(without);
        besideBusy.reset();
        Histogram with = besideBusy.copy();
        AtomicBoolean done = new AtomicBoolean();
        beside("busy", () -> compute(done), () -> {
            PacedLoad.run(besideBusy, getRate, getCount, number -> getAny(store, content));
            done.set(true);
            return 0;
        });
        double alone = gets(store, getsNs, new AtomicReference<>());
        AtomicReference<@Nullable DefragReport> report = new AtomicReference<>();
        double beside = beside("defragmenter", () -> report.set(store.defragment()),
            () -> gets(store, Long.MAX_VALUE, report));
        DefragReport first = Objects.requireNonNull(report.get());
        figures.put("defragmentation moved chunks", first.movedChunks());
        figures.put("defragmentation s", first.timeNs() / SECOND_NS);
        figures.put("defragmentation gets beside/alone", beside / alone);
        for (int place = 0; place < chunks; place++) {
            if (cids[place] == Cid.NONE) {
                create(store, place, LENGTH_MIN, LENGTHS);
            }
        }
        makeHoles(store);
        report.set(null);
        beside("defragmenter", () -> report.set(store.defragment()), () -> {
            while (report.get() == null) {
                PacedLoad.run(with, getRate, getRate / 100, number -> getAny(store, content));
            }
            return 0;
        });
        PacedLoad.report(figures, "gets alone", without);
        PacedLoad.report(figures, "gets beside a busy thread", besideBusy);
        PacedLoad.report(figures, "gets beside", with);
    }

    private void makeHoles(Store store) {
        for (int place = 0; place < chunks; place++) {
            if (random.nextBoolean()) {
                remove(store, place);
            }
        }
    }

    private interface Measured {
        double measure();
    }

    private static double beside(String name, Runnable other, Measured gets) throws InterruptedException {
        Thread thread = Thread.ofPlatform().daemon().name(name).start(other);
        double measured = gets.measure();
        thread.join();
        return measured;
    }

    /**
     * Keeps a processor busy without touching memory: shows the cost of a second thread for the first on this machine.
     */
    private static void compute(AtomicBoolean done) {
        while (!done.get()) {
            Thread.onSpinWait();
        }
    }

    /** Gets for some time, or until there is a report; returns M per second. */
    private double gets(Store store, long ns, AtomicReference<@Nullable DefragReport> report) {
        AtomicLong count = new AtomicLong();
        long start = System.nanoTime();
        do {
            for (int i = 0; i < GETS_PER_LOOK; i++) {
                getAny(store, content);
            }
            count.addAndGet(GETS_PER_LOOK);
        } while (System.nanoTime() - start < ns && report.get() == null);
        return count.get() * 1000.0 / (System.nanoTime() - start);
    }

    private void getAny(Store store, byte[] target) {
        int place = random.nextInt(chunks);
        while (cids[place] == Cid.NONE) {
            place = place + 1 == chunks ? 0 : place + 1;
        }
        get(store, place, target);
    }
}
