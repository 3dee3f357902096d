package io.teff.cluster.peer;

import java.util.function.IntConsumer;

/** Runs tasks that restore zones, on threads that may wait. Thread-safe. */
@FunctionalInterface
interface Restores {
    /** Runs a task later, which is passed the number of threads that it may use. */
    void run(IntConsumer task);
}
