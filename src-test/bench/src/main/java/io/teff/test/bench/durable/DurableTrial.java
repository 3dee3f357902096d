package io.teff.test.bench.durable;

import io.teff.test.bench.disk.RealFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;

/** The measurements of a store by one process. */
abstract class DurableTrial {
    /** Figures by name. */
    final Map<String, Object> figures = new LinkedHashMap<>();
    final DurablePlan plan;

    DurableTrial(DurablePlan plan) {
        this.plan = plan;
    }

    /** Measures, and returns the figures. */
    final Map<String, Object> run() throws IOException, InterruptedException {
        measure();
        return figures;
    }

    abstract void measure() throws IOException, InterruptedException;

    /** A use of a store. */
    @FunctionalInterface
    interface Use {
        void use(Path folder) throws IOException, InterruptedException;
    }

    /** Runs a use in an empty folder, which is then deleted. */
    final void inFolder(Use use) throws IOException, InterruptedException {
        Path folder = Files.createDirectory(plan.storeFolder());
        use.use(folder);
        RealFolder.delete(folder);
    }

    /** Fails if a store has given a wrong answer. */
    static void check(boolean right, String answer, long number) {
        if (!right) {
            throw new IllegalStateException("a wrong answer: " + answer + " " + number);
        }
    }
}
