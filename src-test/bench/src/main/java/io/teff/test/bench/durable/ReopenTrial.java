package io.teff.test.bench.durable;

import io.teff.test.bench.disk.PageCache;
import io.teff.test.bench.disk.RawDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;

/** Opens an existing store and reads every entry, and then its files by a plain loop. */
final class ReopenTrial extends DurableTrial {
    private static final double SECOND_MS = TimeUnit.SECONDS.toMillis(1);
    private static final double SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final double GIBIBYTE = 1L << 30;

    ReopenTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException, InterruptedException {
        boolean wasKilled = plan.step() == DurableStep.REOPEN_KILLED;
        String prefix = wasKilled ? "killed " : "";
        int entries = plan.entries() / Filling.GROUP * Filling.GROUP;
        long first = Long.parseLong(Files.readString(plan.firstFile()));
        byte[] value = new byte[Values.BYTES];
        long lost = 0;
        double openedSeconds;
        long start = System.nanoTime();
        try (Keeper keeper = plan.kind().open(plan.storeFolder(), Keeping.BULK, plan)) {
            openedSeconds = (System.nanoTime() - start) / SECOND_NS;
            for (long key = 0; key < entries; key++) {
                if (!keeper.get(first + key, value) || !Values.isWhole(value, Values.BYTES, key)) {
                    lost++;
                }
                if (key == 0) {
                    figures.put(prefix + "first", sinceStart());
                }
            }
            double all = sinceStart();
            figures.put(prefix + "all", all);
            figures.put(wasKilled ? "killed/GiB" : "all/GiB", all / (entries * (long) Values.BYTES / GIBIBYTE));
        }
        if (wasKilled) {
            figures.put("killed lost", (double) lost);
        } else {
            check(lost == 0, "entries are missing or wrong:", lost);
            PageCache.drop(plan.storeFolder());
        }
        double plainSeconds = RawDisk.readChecked(plan.storeFolder(), Runtime.getRuntime().availableProcessors());
        figures.put(prefix + "opened M/s", entries / openedSeconds / 1e6);
        figures.put(prefix + "plain s", plainSeconds);
        figures.put(prefix + "plain/opened", plainSeconds / openedSeconds);
    }

    private double sinceStart() {
        return (System.currentTimeMillis() - plan.startedMs()) / SECOND_MS;
    }
}
