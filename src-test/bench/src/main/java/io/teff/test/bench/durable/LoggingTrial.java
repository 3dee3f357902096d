package io.teff.test.bench.durable;

import io.teff.test.bench.disk.RawDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Chunks of several lengths in batches, created and then replaced, until they are on the device, compared with a plain
 * loop that writes the same amount. Disks are fast for a while and slow after that, so the two take turns, and each
 * rate is divided by those of the loop immediately before and after it.
 */
final class LoggingTrial extends DurableTrial {
    private static final int[] LENGTHS = {64, 512, 4096};
    private static final int BLOCK_BYTES = 128 << 10;
    private static final int WARM_UP_BYTES = 256 << 20;
    private static final int TURNS = 3;

    private final Map<String, List<Double>> turns = new HashMap<>();

    LoggingTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException, InterruptedException {
        long bytes = (long) plan.entries() * Values.BYTES;
        for (int length : LENGTHS) {
            measure(length, Math.min(bytes, WARM_UP_BYTES));
        }
        turns.clear();
        for (int turn = 0; turn < TURNS; turn++) {
            for (int length : LENGTHS) {
                measure(length, bytes);
            }
        }
        turns.forEach((name, values) -> figures.put(name, values.stream().sorted().toList().get(TURNS / 2)));
        figures.put("64 B M/s", (double) figures.get("64 B MB/s") / Values.BYTES);
        figures.put("64 B put M/s", (double) figures.get("64 B put MB/s") / Values.BYTES);
    }

    private void measure(int length, long bytes) throws IOException, InterruptedException {
        double before = RawDisk.writeMbPerSecond(plan.folder(), bytes, BLOCK_BYTES);
        double[] made = new double[2];
        inFolder(folder -> {
            try (TeffKeeper keeper = new TeffKeeper(folder, Keeping.LOGGED, plan.storeBytes(), config -> config)) {
                int groups = (int) Math.ceilDiv(bytes, (long) length * Filling.GROUP);
                long[] names = new long[groups * Filling.GROUP];
                made[0] = megabytesPerSecond(keeper, names, length, false);
                made[1] = megabytesPerSecond(keeper, names, length, true);
            }
        });
        double raw = (before + RawDisk.writeMbPerSecond(plan.folder(), bytes, BLOCK_BYTES)) / 2;
        note("raw MB/s " + length, raw);
        note(length + " B MB/s", made[0]);
        note(length + " B put MB/s", made[1]);
        note(length + " B/raw", made[0] / raw);
        note(length + " B put/raw", made[1] / raw);
    }

    private void note(String name, double value) {
        turns.computeIfAbsent(name, _ -> new ArrayList<>()).add(value);
    }

    private static double megabytesPerSecond(TeffKeeper keeper, long[] names, int length, boolean isReplaced) {
        byte[] values = new byte[Filling.GROUP * length];
        long[] group = new long[Filling.GROUP];
        long start = System.nanoTime();
        for (int key = 0; key < names.length; key += Filling.GROUP) {
            for (int i = 0; i < Filling.GROUP; i++) {
                Values.write(values, i * length, length, key + i, 0);
            }
            if (isReplaced) {
                System.arraycopy(names, key, group, 0, Filling.GROUP);
                keeper.putAll(group, values, length);
            } else {
                keeper.createAll(key, values, length, group);
                System.arraycopy(group, 0, names, key, Filling.GROUP);
            }
        }
        keeper.sync();
        return (double) names.length * length * 1e3 / (System.nanoTime() - start);
    }
}
