package io.teff.test.bench.session;

import io.teff.test.bench.store.KeyedStore;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A load of a fixed rate by one thread: 60 of 100 operations get, 30 put, 5 create and 5 remove. Each latency counts
 * from the time when the operation should have begun, so a pause shows in all operations that it held up (no
 * coordinated omission). Before it the same without any operation, to see what the machine adds.
 */
final class LatencyLoad {
    private static final double[] PERCENTILES = {50, 99, 99.9, 99.99, 100};
    private static final int EXTRA_MAX = 4096;
    private static final double MICROSECOND_NS = TimeUnit.MICROSECONDS.toNanos(1);

    private final KeyedStore store;
    private final long first;
    private final SessionPlan plan;
    private final SplittableRandom random = new SplittableRandom(1);
    private final byte[] target = new byte[256];
    private final byte[][] arrays;
    /** Names of the entries that this load made, oldest first. */
    private final long[] extra = new long[EXTRA_MAX];
    private long made;
    private long removed;

    LatencyLoad(KeyedStore store, long first, SessionPlan plan) {
        this.store = store;
        this.first = first;
        this.plan = plan;
        this.arrays = plan.values().arrays();
    }

    void run(Map<String, Object> figures) {
        load(false, plan.latencyMs() / 4);
        report(figures, "nothing", load(false, plan.latencyMs()));
        load(true, plan.latencyMs() / 4);
        report(figures, "latency", load(true, plan.latencyMs()));
        while (removed < made) {
            store.remove(extra[(int) (removed++ % EXTRA_MAX)]);
        }
    }

    private Histogram load(boolean working, int durationMs) {
        Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        long intervalNs = TimeUnit.SECONDS.toNanos(1) / plan.latencyRate();
        long count = TimeUnit.MILLISECONDS.toNanos(durationMs) / intervalNs;
        long due = System.nanoTime();
        for (long i = 0; i < count; i++) {
            due += intervalNs;
            while (System.nanoTime() < due) {
                Thread.onSpinWait();
            }
            if (working) {
                operate();
            }
            histogram.recordValue(Math.min(System.nanoTime() - due, histogram.getHighestTrackableValue()));
        }
        return histogram;
    }

    private void operate() {
        int draw = random.nextInt(100);
        long key = (random.nextInt() & 0xFFFF_FFFFL) * plan.entries() >>> 32;
        if (draw < 60) {
            store.get(first + key, target);
        } else if (draw < 90) {
            store.put(first + key, plan.values().of(key, arrays));
        } else if (made - removed < EXTRA_MAX && (draw < 95 || made == removed)) {
            long name = plan.entries() + made;
            extra[(int) (made++ % EXTRA_MAX)] = store.create(name, plan.values().of(name, arrays));
        } else {
            store.remove(extra[(int) (removed++ % EXTRA_MAX)]);
        }
    }

    private static void report(Map<String, Object> figures, String what, Histogram histogram) {
        for (double percentile : PERCENTILES) {
            String name = percentile == 100 ? "max" : "p" + (percentile == Math.rint(percentile)
                ? String.valueOf((int) percentile) : String.valueOf(percentile));
            figures.put(what + " " + name + " us", histogram.getValueAtPercentile(percentile) / MICROSECOND_NS);
        }
    }
}
