package io.teff.cluster.peer;

import java.util.function.IntConsumer;

/** Runs tasks of recoveries, on threads that may wait. Thread-safe. */
@FunctionalInterface
interface Restores {
    /** Runs a task later, with the number of threads for the task. */
    void run(IntConsumer task);
}
