package io.teff.test.bench.session;

import io.teff.test.bench.load.PacedLoad;
import io.teff.test.bench.store.KeyedStore;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * A load of a fixed rate by one thread: 60 of 100 operations get, 30 put, 5 create and 5 remove. Before it the same
 * loop without operations, to show the share of the machine.
 */
final class LatencyLoad {
    private static final int EXTRA_MAX = 4096;

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
        long count = (long) plan.latencyRate() * plan.latencyMs() / TimeUnit.SECONDS.toMillis(1);
        PacedLoad.run(plan.latencyRate(), count / 4, number -> { });
        PacedLoad.report(figures, "nothing", PacedLoad.run(plan.latencyRate(), count, number -> { }));
        PacedLoad.run(plan.latencyRate(), count / 4, number -> operate());
        PacedLoad.report(figures, "latency", PacedLoad.run(plan.latencyRate(), count, number -> operate()));
        while (removed < made) {
            store.remove(extra[(int) (removed++ % EXTRA_MAX)]);
        }
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
}
