package io.teff.test.bench.durable;

import io.teff.test.bench.load.Crew;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/** New entries that have reached the kernel when the call returns, each alone or in batches, by one thread or two. */
final class LoggedTrial extends DurableTrial {
    private static final int WARM_UP_MAX = 200_000;
    private static final int THREADS_MAX = 2;

    LoggedTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException, InterruptedException {
        inFolder(folder -> fill(folder, "put", 1, Math.min(plan.entries(), WARM_UP_MAX)));
        inFolder(folder -> fill(folder, "batch", 1, Math.min(plan.entries(), WARM_UP_MAX)));
        figures.clear();
        for (String way : new String[] {"put", "batch"}) {
            for (int threads = 1; threads <= THREADS_MAX; threads++) {
                int count = threads;
                inFolder(folder -> fill(folder, way, count, plan.entries()));
            }
        }
    }

    private void fill(Path folder, String way, int threads, int entries) throws InterruptedException {
        try (Keeper keeper = plan.kind().open(folder, Keeping.LOGGED, plan)) {
            Filling filling = new Filling(keeper, way.equals("batch"), plan.nsMax());
            LongAdder made = new LongAdder();
            long share = entries / threads;
            long start = System.nanoTime();
            Crew.run(threads, thread -> made.add(filling.range(thread * share, (thread + 1) * share)));
            long returned = System.nanoTime();
            keeper.sync();
            long synced = System.nanoTime();
            figures.put(way + ' ' + threads, made.sum() * 1e3 / (returned - start));
            figures.put(way + ' ' + threads + "+s", made.sum() * 1e3 / (synced - start));
        }
    }
}
