package io.teff.engine.compute;

import java.util.List;

/**
 * The results of a step.
 *
 * @param step number of the step, from 1
 * @param results result of each worker, by the number of the worker; empty with a reduction
 * @param reduced the reduced numbers; empty without a reduction
 */
public record StepResult(long step, List<byte[]> results, long[] reduced) {
    /** Copies the list. */
    public StepResult {
        results = List.copyOf(results);
    }

    /**
     * {@return the first reduced number}
     *
     * @throws IllegalStateException if there is none
     */
    public long number() {
        if (reduced.length == 0) {
            throw new IllegalStateException("step " + step + " has no reduced number");
        }
        return reduced[0];
    }
}
