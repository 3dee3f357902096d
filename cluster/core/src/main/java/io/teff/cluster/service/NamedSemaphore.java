package io.teff.cluster.service;

import java.util.Optional;

/** A semaphore by name: processes hold permits for as long as their sessions live. Requests are served in order. */
public interface NamedSemaphore {

    /**
     * Takes permits.
     *
     * @param permits number of permits, from 1 to those of the semaphore
     * @param timeoutNs longest wait in nanoseconds; with 0 the permits are taken if they are free
     * @return the permits, to be closed together; empty if they are not free in time
     * @throws IllegalArgumentException if the number is out of range
     */
    Optional<Hold> acquire(int permits, long timeoutNs);
}
