package io.teff.test.bench.durable;

import io.teff.test.bench.disk.RawDisk;
import io.teff.test.bench.load.Crew;
import io.teff.test.bench.load.Draws;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongUnaryOperator;

/**
 * Puts that are on the device when they return, by an increasing number of threads, between plain loops that write and
 * sync.
 */
final class SyncedTrial extends DurableTrial {
    static final int[] WRITERS = {1, 16, 64};

    private static final int ENTRIES_MAX = 100_000;
    private static final int RECORD_BYTES = 88;
    private static final int PAGE_BYTES = 4096;
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    SyncedTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException, InterruptedException {
        inFolder(folder -> {
            int entries = Math.min(plan.entries(), ENTRIES_MAX) / Filling.GROUP * Filling.GROUP;
            long first = filled(folder, entries);
            double[] before = raw();
            try (Keeper keeper = plan.kind().open(folder, Keeping.SYNCED, plan)) {
                for (int writers : WRITERS) {
                    rate(keeper, key -> first + key, entries, writers, plan.measureNs() / 2);
                    figures.put("synced " + writers + "/s", rate(keeper, key -> first + key, entries,
                        writers, plan.measureNs()));
                }
            }
            double[] after = raw();
            figures.put("raw 88 B/s", (before[0] + after[0]) / 2);
            figures.put("raw 4 KiB/s", (before[1] + after[1]) / 2);
        });
        double page = (double) figures.get("raw 4 KiB/s");
        for (int writers : WRITERS) {
            figures.put("synced " + writers + "/raw", (double) figures.get("synced " + writers + "/s")
                / (writers * page));
        }
    }

    private long filled(Path folder, int entries) {
        try (Keeper keeper = plan.kind().open(folder, Keeping.BULK, plan)) {
            long first = Filling.all(keeper, entries);
            keeper.sync();
            return first;
        }
    }

    private double[] raw() throws IOException {
        return new double[] {RawDisk.syncsPerSecond(plan.folder(), RECORD_BYTES, plan.measureNs() / 2),
            RawDisk.syncsPerSecond(plan.folder(), PAGE_BYTES, plan.measureNs() / 2)};
    }

    /** Puts of random keys per second. */
    static double rate(Keeper keeper, LongUnaryOperator namesOfKeys, int keys, int writers, long ns)
        throws InterruptedException {
        LongAdder puts = new LongAdder();
        long start = System.nanoTime();
        Crew.run(writers, thread -> {
            byte[] value = new byte[Values.BYTES];
            long seed = Draws.next(start + thread);
            long count = 0;
            do {
                seed = Draws.next(seed);
                long key = Draws.below(seed, keys);
                Values.write(value, 0, Values.BYTES, key, seed);
                keeper.put(namesOfKeys.applyAsLong(key), value);
                count++;
            } while (System.nanoTime() - start < ns);
            puts.add(count);
        });
        return puts.sum() * SECOND_NS / (System.nanoTime() - start);
    }
}
