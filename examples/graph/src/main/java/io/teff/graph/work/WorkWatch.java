package io.teff.graph.work;

import java.util.concurrent.CancellationException;

/** Sees the progress of long work, and may cancel the work. The methods may be called by any thread. */
public interface WorkWatch {
    /** Ignores the progress and never cancels. */
    WorkWatch NONE = new WorkWatch() {};

    /**
     * Reports progress.
     *
     * @param step what is done, for people
     * @param done units of work done
     * @param total units of work of the step; -1 if unknown
     */
    default void at(String step, long done, long total) {
        // a watch may be interested in cancellation only
    }

    /** {@return whether the work shall end early} */
    default boolean isCancelled() {
        return false;
    }

    /**
     * Reports progress, and ends the work if the watch has cancelled the work.
     *
     * @param step what is done, for people
     * @param done units of work done
     * @param total units of work of the step; -1 if unknown
     * @throws CancellationException if the watch has cancelled the work
     */
    default void check(String step, long done, long total) {
        at(step, done, total);
        if (isCancelled()) {
            throw new CancellationException("cancelled at " + step + ", " + done + " of " + total);
        }
    }
}
