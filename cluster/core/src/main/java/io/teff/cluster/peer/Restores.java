package io.teff.cluster.peer;

import java.util.function.IntConsumer;

/** Runs tasks of recoveries, on threads that may wait. Thread-safe. */
@FunctionalInterface
interface Restores {
    /** Runs a task later, with the number of threads for the task. */
    void run(IntConsumer task);

    /**
     * Runs a task when no recovery waits, or never: for work that is done later anyway.
     *
     * @param task should be short, because recoveries wait for its end
     */
    default void runIdle(Runnable task) {
        // these threads are never idle
    }
}
