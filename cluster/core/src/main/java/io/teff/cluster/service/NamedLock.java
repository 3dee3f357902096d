package io.teff.cluster.service;

import java.util.Optional;

/**
 * A lock by name, with a lease and with fencing tokens. Not reentrant: each acquisition is a hold of its own. Waiting
 * processes get the lock in the order of their requests.
 */
public interface NamedLock {

    /**
     * Takes the lock.
     *
     * @param timeoutNs longest wait for the lock, in nanoseconds; with 0 the lock is taken if it is free. May be longer
     *     than the deadline of the client, which limits each attempt to reach the superpeers
     * @return the lock, to be closed; empty if the lock is not free in time
     */
    Optional<Hold> acquire(long timeoutNs);
}
