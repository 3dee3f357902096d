package io.teff.test.bench.durable;

import io.teff.test.bench.disk.RawDisk;
import io.teff.test.bench.session.ProcessMemory;
import java.io.IOException;

/** The disk space and memory of a store, filled, and after each of its values was replaced once. */
final class SpaceTrial extends DurableTrial {
    SpaceTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException, InterruptedException {
        inFolder(folder -> {
            int entries = plan.entries() / Filling.GROUP * Filling.GROUP;
            ProcessMemory before = ProcessMemory.now();
            try (Keeper keeper = plan.kind().open(folder, Keeping.BULK, plan)) {
                long start = System.nanoTime();
                long first = Filling.all(keeper, entries);
                keeper.sync();
                figures.put("fill", entries * 1e3 / (System.nanoTime() - start));
                figures.put("B filled", (double) RawDisk.usedBytes(folder) / entries);
                start = System.nanoTime();
                overwrite(keeper, first, entries);
                keeper.sync();
                figures.put("overwrite", entries * 1e3 / (System.nanoTime() - start));
                figures.put("B overwritten", (double) RawDisk.usedBytes(folder) / entries);
                figures.put("B memory", (double) ProcessMemory.now().since(before) / entries);
            }
            figures.put("B closed", (double) RawDisk.usedBytes(folder) / entries);
        });
    }

    private static void overwrite(Keeper keeper, long first, int entries) {
        Updates updates = new Updates(keeper, key -> first + key, Spread.scattered(entries));
        for (int i = 0; i < entries; i += Filling.GROUP) {
            updates.batch();
        }
    }
}
