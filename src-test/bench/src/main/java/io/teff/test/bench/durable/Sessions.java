package io.teff.test.bench.durable;

import io.teff.test.bench.disk.PageCache;
import io.teff.test.bench.disk.RealFolder;
import io.teff.test.bench.session.SessionProcess;
import io.teff.test.bench.session.SessionProcess.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs the processes of a shape, in a folder that is empty before and after.
 *
 * @param folder a folder on a disk
 * @param out folder for the output of the processes
 * @param entries number of entries of a store
 * @param measureMs time of measurements that can be repeated
 * @param secondsMax maximum seconds of a filling
 */
record Sessions(Path folder, Path out, int entries, int measureMs, int secondsMax) {
    private static final int LOOK_MS = 20;
    private static final int OVERWRITE_MS = 1000;

    /** Returns all figures of a shape, or the failure. */
    Outcome run(DurableKind kind, DurableShape shape) throws IOException, InterruptedException {
        Path own = Files.createDirectory(folder.resolve(kind.id() + '-' + shape.id()));
        try {
            return shape == DurableShape.RESTART ? restart(kind, own)
                : SessionProcess.run(plan(kind, shape, DurableStep.MEASURE, own), out);
        } finally {
            RealFolder.delete(own);
        }
    }

    private DurablePlan plan(DurableKind kind, DurableShape shape, DurableStep step, Path own) {
        return new DurablePlan(kind, shape, step, own, entries, measureMs, secondsMax, System.currentTimeMillis());
    }

    private Outcome restart(DurableKind kind, Path own) throws IOException, InterruptedException {
        Path closed = Files.createDirectory(own.resolve("closed"));
        Outcome filled = SessionProcess.run(plan(kind, DurableShape.RESTART, DurableStep.FILL, closed), out);
        if (filled.failure() != null) {
            return filled;
        }
        PageCache.drop(closed);
        Outcome opened = SessionProcess.run(plan(kind, DurableShape.RESTART, DurableStep.REOPEN, closed), out);
        RealFolder.delete(closed);
        if (opened.failure() != null) {
            return opened;
        }
        Path killed = Files.createDirectory(own.resolve("killed"));
        String failure = fillAndKill(plan(kind, DurableShape.RESTART, DurableStep.FILL_FOR_EVER, killed));
        if (failure != null) {
            return new Outcome(opened.figures(), failure);
        }
        Outcome again = SessionProcess.run(plan(kind, DurableShape.RESTART, DurableStep.REOPEN_KILLED, killed), out);
        Map<String, Double> figures = new LinkedHashMap<>(opened.figures());
        figures.putAll(again.figures());
        return new Outcome(figures, again.failure());
    }

    /** Kills a process while it overwrites the filled entries; returns the failure, or null. */
    private @Nullable String fillAndKill(DurablePlan plan) throws IOException, InterruptedException {
        Path result = Files.createTempFile(out, "session", ".json");
        Process process = SessionProcess.start(plan, result, out);
        try {
            while (!Files.exists(plan.readyFile())) {
                if (process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
                    return "failed with exit code " + process.exitValue() + ", see " + out.resolve(plan.logName());
                }
            }
            return process.waitFor(Math.min(OVERWRITE_MS, measureMs), TimeUnit.MILLISECONDS)
                ? "ended before it was killed, see " + out.resolve(plan.logName()) : null;
        } finally {
            process.destroyForcibly().waitFor();
            Files.delete(result);
        }
    }
}
