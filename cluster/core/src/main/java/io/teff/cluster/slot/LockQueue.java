package io.teff.cluster.slot;

import java.util.ArrayList;
import java.util.List;

/**
 * The waiters for the locks of one chunk, in the order of arrival. A waiter asks again and again; one that has not
 * asked for {@link #PATIENCE_NS} has gone. A write lock goes to the first waiter; a read lock to any that no waiting
 * writer precedes, so neither kind waits for ever. Pure data, guarded by its table.
 */
final class LockQueue {
    /** Much longer than the pause between two questions of a waiter. */
    static final long PATIENCE_NS = 250_000_000L;
    /** Waiters beyond this number have no place: waiters take the lock when the lock is free. */
    static final int WAITERS_MAX = 1_024;

    private final List<Waiter> waiters = new ArrayList<>();

    private static final class Waiter {
        private final long id;
        private final boolean isWrite;
        private long askedNs;

        private Waiter(long id, boolean isWrite) {
            this.id = id;
            this.isWrite = isWrite;
        }
    }

    /** Returns whether the lock, when free, is for this waiter, or for a waiter that has not waited yet. */
    boolean isFor(long id, boolean isWrite, long nowNs) {
        waiters.removeIf(waiter -> waiter.id != id && nowNs - waiter.askedNs > PATIENCE_NS);
        for (Waiter waiter : waiters) {
            if (waiter.id == id) {
                return true;
            }
            if (isWrite || waiter.isWrite) {
                return false;
            }
        }
        return true;
    }

    /** Notes a waiter's question in vain; the waiter will ask again. */
    void asked(long id, boolean isWrite, long nowNs) {
        for (Waiter waiter : waiters) {
            if (waiter.id == id) {
                waiter.askedNs = nowNs;
                return;
            }
        }
        if (waiters.size() < WAITERS_MAX) {
            final Waiter waiter = new Waiter(id, isWrite);
            waiter.askedNs = nowNs;
            waiters.add(waiter);
        }
    }

    /** Notes the end of a wait. */
    void gone(long id) {
        waiters.removeIf(waiter -> waiter.id == id);
    }

    /** Returns whether there is no waiter. */
    boolean isEmpty(long nowNs) {
        waiters.removeIf(waiter -> nowNs - waiter.askedNs > PATIENCE_NS);
        return waiters.isEmpty();
    }
}
