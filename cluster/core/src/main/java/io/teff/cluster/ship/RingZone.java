package io.teff.cluster.ship;

import io.teff.cluster.zone.ZoneNumber;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The state of a zone in the ring: the next number, and the last changes of chunks.
 *
 * <p><b>Lock.</b> A claim takes room in the ring and a number together, so that room and numbers have the same order in
 * a zone. The lock is a field, taken by a compare-and-set and left by a plain assignment to the volatile field: a
 * thread whose stack has ended can still leave the lock, because an assignment needs no stack.
 *
 * <p><b>Pending changes.</b> Each place of a table keeps the highest counter of the changes of the chunks that share
 * the place. A change writes its place before the stripe of the chunk is left. So a thread that has read a value finds
 * the change of the value here, or a later change. Chunks of the same place wait for changes of each other. This costs
 * time only.
 */
final class RingZone {
    private static final int PLACES = 4_096;
    private static final int SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(PLACES);
    private static final long FACTOR = 0x9E3779B97F4A7C15L;
    private static final int SPINS = 100;
    private static final VarHandle LOCKED;

    static {
        try {
            LOCKED = MethodHandles.lookup().findVarHandle(RingZone.class, "locked", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final int zone;
    private final AtomicLongArray pending = new AtomicLongArray(PLACES);
    /** 0 or 1. Set by {@link #lock}; the holder of the lock sets 0. */
    volatile int locked;
    /** Guarded by the lock. */
    int epoch;
    /**
     * Number of the last claimed record. Before the first claim: number of the last restored record, with the epoch of
     * this owner. So the number is above all numbers of earlier owners, also above numbers of records lost by a power
     * cut. Written with the lock held.
     */
    volatile long last;
    /** Number of the last drained record, with at least the epoch of the next record; for the drainer alone. */
    long drained;

    RingZone(int zone) {
        this.zone = zone;
    }

    /** Takes the lock. A thread holds the lock for some tens of nanoseconds, unless the thread loses its processor. */
    void lock() {
        for (int i = 0; !LOCKED.compareAndSet(this, 0, 1); i++) {
            if (i % SPINS == SPINS - 1) {
                Thread.yield();
            } else {
                Thread.onSpinWait();
            }
        }
    }

    /** Begins, or goes on with a new epoch: later records have numbers above {@code number}. */
    void begin(int newEpoch, long number) {
        lock();
        try {
            epoch = newEpoch;
            drained = ZoneNumber.of(newEpoch, ZoneNumber.counter(number));
            last = drained;
        } finally {
            locked = 0;
        }
    }

    /** Later records have this epoch. */
    void raise(int newEpoch) {
        lock();
        try {
            epoch = Math.max(epoch, newEpoch);
        } finally {
            locked = 0;
        }
    }

    /** Returns the number of a claimed record without a written number: the drainer knows the number before. */
    long numberAfterDrained() {
        return ZoneNumber.of(ZoneNumber.epoch(drained), ZoneNumber.counter(drained) + 1);
    }

    // ---- pending changes ----

    private static int place(long cid) {
        return (int) (cid * FACTOR >>> SHIFT);
    }

    /** Notes a change of a chunk. */
    void changed(long cid, long counter) {
        final int place = place(cid);
        long known = pending.get(place);
        while (known < counter && !pending.compareAndSet(place, known, counter)) {
            known = pending.get(place);
        }
    }

    /** Returns the counter of the last change of a chunk, or of a chunk of the same place; 0 if there was no change. */
    long changeOf(long cid) {
        return pending.get(place(cid));
    }
}
