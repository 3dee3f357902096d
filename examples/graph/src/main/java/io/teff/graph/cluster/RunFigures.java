package io.teff.graph.cluster;

/**
 * Costs of a run.
 *
 * @param supersteps number of supersteps
 * @param addedCount messages that the program has sent
 * @param sentCount messages that have gone to workers, after combining
 * @param sentBytes bytes of these messages with their targets, also those from a worker to itself
 * @param restarts how often a worker has run a superstep again, or the run has begun anew
 */
public record RunFigures(int supersteps, long addedCount, long sentCount, long sentBytes, long restarts) {
    static final RunFigures NONE = new RunFigures(0, 0, 0, 0, 0);

    RunFigures plus(StepRow row) {
        return new RunFigures(supersteps, addedCount + row.addedCount(), sentCount + row.sentCount(),
            sentBytes + row.sentBytes(), restarts);
    }

    RunFigures plusStep() {
        return new RunFigures(supersteps + 1, addedCount, sentCount, sentBytes, restarts);
    }

    RunFigures withRestarts(long count) {
        return new RunFigures(supersteps, addedCount, sentCount, sentBytes, count);
    }
}
