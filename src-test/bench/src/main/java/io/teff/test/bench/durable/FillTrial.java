package io.teff.test.bench.durable;

import java.io.IOException;
import java.nio.file.Files;

/** Fills a store, and closes it, or overwrites it until the process is killed. */
final class FillTrial extends DurableTrial {
    FillTrial(DurablePlan plan) {
        super(plan);
    }

    @Override
    void measure() throws IOException {
        int entries = plan.entries() / Filling.GROUP * Filling.GROUP;
        Files.createDirectory(plan.storeFolder());
        try (Keeper keeper = plan.kind().open(plan.storeFolder(), Keeping.BULK, plan)) {
            long first = Filling.all(keeper, entries);
            keeper.sync();
            Files.writeString(plan.firstFile(), "" + first);
            if (plan.step() == DurableStep.FILL_FOR_EVER) {
                Files.createFile(plan.readyFile());
                new Updates(keeper, key -> first + key, Spread.RANDOM.keys(entries)).rate(plan.nsMax());
                throw new IllegalStateException("nobody has killed this process");
            }
        }
    }
}
