package io.teff.test.bench.durable;

import io.teff.test.bench.disk.RawDisk;
import java.io.IOException;
import java.nio.file.Path;

/** New chunks of several lengths in batches, until the device has them, beside a plain loop that writes as much. */
final class LoggingTrial extends DurableTrial {
    private static final int[] LENGTHS = {64, 512, 4096};
    private static final int BLOCK_BYTES = 128 << 10;
    private static final int WARM_UP_BYTES = 16 << 20;

    LoggingTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException, InterruptedException {
        long bytes = (long) plan.entries() * Values.BYTES;
        for (int length : LENGTHS) {
            inFolder(folder -> megabytesPerSecond(folder, length, Math.min(bytes, WARM_UP_BYTES)));
        }
        double before = RawDisk.writeMbPerSecond(plan.folder(), bytes, BLOCK_BYTES);
        for (int length : LENGTHS) {
            inFolder(folder -> figures.put(length + " B MB/s", megabytesPerSecond(folder, length, bytes)));
        }
        double raw = (before + RawDisk.writeMbPerSecond(plan.folder(), bytes, BLOCK_BYTES)) / 2;
        figures.put("64 B M/s", (double) figures.get("64 B MB/s") / Values.BYTES);
        figures.put("raw MB/s", raw);
        for (int length : LENGTHS) {
            figures.put(length + " B/raw", (double) figures.get(length + " B MB/s") / raw);
        }
    }

    private double megabytesPerSecond(Path folder, int length, long bytes) {
        byte[] values = new byte[Filling.GROUP * length];
        long[] names = new long[Filling.GROUP];
        long count = bytes / length;
        try (TeffKeeper keeper = new TeffKeeper(folder, Keeping.LOGGED, plan.storeBytes(), config -> config)) {
            long start = System.nanoTime();
            for (long key = 0; key < count; key += Filling.GROUP) {
                for (int i = 0; i < Filling.GROUP; i++) {
                    Values.write(values, i * length, length, key + i, 0);
                }
                keeper.createAll(key, values, length, names);
            }
            keeper.sync();
            long rounded = (count + Filling.GROUP - 1) / Filling.GROUP * Filling.GROUP;
            return rounded * length * 1e3 / (System.nanoTime() - start);
        }
    }
}
