package io.teff.test.bench.durable;

import io.teff.test.bench.session.ProcessPlan;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The plan of one process with a store.
 *
 * @param kind the store
 * @param shape the shape of the measurement
 * @param step its current step
 * @param folder an empty folder on a disk, or the state left by the step before
 * @param entries number of entries
 * @param measureMs time of measurements that can be repeated
 * @param secondsMax after which a filling is ended, and its rate taken from the part done
 * @param startedMs start of the process, by the system clock
 */
record DurablePlan(DurableKind kind, DurableShape shape, DurableStep step, Path folder, int entries, int measureMs,
    int secondsMax, long startedMs) implements ProcessPlan {
    private static final long MEMORY_BYTES_FIXED = 1L << 30;
    private static final long MEMORY_BYTES_PER_ENTRY = 256;
    private static final String READY = "ready";

    @Override
    public long memoryBytes() {
        return MEMORY_BYTES_FIXED + MEMORY_BYTES_PER_ENTRY * entries;
    }

    @Override
    public String logName() {
        return kind.id() + '-' + shape.id() + (step == DurableStep.MEASURE ? "" : '-' + step.id());
    }

    @Override
    public List<String> arguments() {
        return List.of("durable-session", "--store", kind.id(), "--shape", shape.id(), "--step", step.name(),
            "--folder", folder.toString(), "--entries", "" + entries, "--measure-ms", "" + measureMs, "--seconds",
            "" + secondsMax, "--started-ms", "" + startedMs);
    }

    /** Returns the folder of the store. */
    Path storeFolder() {
        return folder.resolve("store");
    }

    /** Returns the file whose existence means that the store is filled. */
    Path readyFile() {
        return folder.resolve(READY);
    }

    /** Returns the file with the name of the first entry. */
    Path firstFile() {
        return folder.resolve("first");
    }

    long measureNs() {
        return TimeUnit.MILLISECONDS.toNanos(measureMs);
    }

    long nsMax() {
        return TimeUnit.SECONDS.toNanos(secondsMax);
    }

    /** Returns all measurements of the process. */
    DurableTrial trial() {
        return switch (step) {
            case FILL, FILL_FOR_EVER -> new FillTrial(this);
            case REOPEN, REOPEN_KILLED -> new ReopenTrial(this);
            case MEASURE -> switch (shape) {
                case SYNCED -> new SyncedTrial(this);
                case LOGGED -> new LoggedTrial(this);
                case SPACE -> new SpaceTrial(this);
                case LOGGING -> new LoggingTrial(this);
                case UPDATES -> new UpdatesTrial(this);
                case ZONES -> new ZonesTrial(this, Zoned.counts().toArray());
                case RESTART -> throw new IllegalArgumentException("a restart needs more than one process");
            };
        };
    }
}
