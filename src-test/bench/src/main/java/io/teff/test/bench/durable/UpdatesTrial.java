package io.teff.test.bench.durable;

import io.teff.test.bench.disk.RawDisk;
import java.io.IOException;

/** Updates of a full store for so long that cleaning runs during them. */
final class UpdatesTrial extends DurableTrial {
    private static final int CLEAN_PERCENT = 80;
    /** Average number of updates of each entry; the first is not measured, as nothing is cleaned yet. */
    private static final int TIMES = 4;

    UpdatesTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException, InterruptedException {
        int entries = plan.entries() / Filling.GROUP * Filling.GROUP;
        for (Spread spread : Spread.values()) {
            inFolder(folder -> {
                try (TeffKeeper keeper = new TeffKeeper(folder, Keeping.LOGGED, plan.storeBytes(),
                    config -> config.cleanPercent(CLEAN_PERCENT))) {
                    long first = Filling.all(keeper, entries);
                    Updates updates = new Updates(keeper, key -> first + key, spread.keys(entries));
                    pass(updates, entries);
                    long start = System.nanoTime();
                    long count = 0;
                    for (int time = 1; time < TIMES && System.nanoTime() - start < plan.nsMax(); time++) {
                        count += pass(updates, entries);
                    }
                    figures.put(spread.id(), count * 1e3 / (System.nanoTime() - start));
                    keeper.sync();
                    figures.put("B " + spread.id(), (double) RawDisk.usedBytes(folder) / entries);
                }
            });
        }
    }

    private static int pass(Updates updates, int entries) {
        for (int i = 0; i < entries; i += Filling.GROUP) {
            updates.batch();
        }
        return entries;
    }
}
