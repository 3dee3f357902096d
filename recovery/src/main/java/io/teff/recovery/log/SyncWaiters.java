package io.teff.recovery.log;

import io.teff.engine.os.Clock;
import io.teff.engine.os.KeptInterrupt;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until the log is drained up to a position. Each thread is parked individually and the threads share
 * no lock, so that many threads served by the same sync do not wake one after another. Any number of threads wait, and
 * a single thread wakes them.
 *
 * <pre>
 *  await: push ──> (spin) ──> park            wake: take all ──> those in front of the position: unpark
 *                                                              └> the others: kept for the next time
 * </pre>
 * A thread that waits alone spins for the time of a sync before it parks, because a wake-up costs as much time again.
 */
final class SyncWaiters {
    private static final long SPIN_NS = 200_000;

    /** A waiting thread. */
    private static final class Waiter {
        private final Thread thread;
        private final long position;
        private final boolean isAlone;
        private @Nullable Waiter next;
        private volatile boolean isWoken;

        Waiter(Thread thread, long position, @Nullable Waiter next) {
            this.thread = thread;
            this.position = position;
            this.isAlone = next == null;
            this.next = next;
        }
    }

    /** Condition that ends a wait. */
    @FunctionalInterface
    interface End {
        boolean isReached();
    }

    private final Clock clock;
    private final AtomicReference<@Nullable Waiter> top = new AtomicReference<>();
    /** Waiters that the waking thread has seen and not yet served. */
    private @Nullable Waiter kept;

    SyncWaiters(Clock clock) {
        this.clock = clock;
    }

    /**
     * Waits. Interrupts do not end the wait; the flag is set again afterwards.
     *
     * @param position up to which the log must be drained
     * @param wake called when this thread is registered as waiting
     * @param end returns whether the wait has ended; {@link #wake} is called after it has become true
     */
    void await(long position, Runnable wake, End end) {
        Waiter waiter = push(position);
        wake.run();
        if (waiter.isAlone) {
            spin(end);
        }
        if (end.isReached()) {
            return;
        }
        try (KeptInterrupt interrupt = KeptInterrupt.begin()) {
            while (!end.isReached()) {
                if (waiter.isWoken) {                           // woken for an event that has ended already
                    waiter = push(position);
                    wake.run();
                } else {
                    interrupt.park(this);
                }
            }
        }
    }

    private Waiter push(long position) {
        while (true) {
            final Waiter before = top.get();
            final Waiter made = new Waiter(Thread.currentThread(), position, before);
            if (top.compareAndSet(before, made)) {
                return made;
            }
        }
    }

    private void spin(End end) {
        final long deadline = clock.nowNs() + SPIN_NS;
        while (!end.isReached() && clock.nowNs() - deadline < 0) {
            Thread.onSpinWait();
        }
    }

    /** Returns whether a thread waits that the waking thread has not seen yet. */
    boolean hasNew() {
        return top.get() != null;
    }

    /** Returns whether any thread waits. */
    synchronized boolean hasAny() {
        return kept != null || hasNew();
    }

    /** Wakes the threads that wait for this position or an earlier position. Returns the number of woken threads. */
    synchronized int wake(long position) {
        final Waiter before = kept;
        kept = null;
        return wake(before, position) + wake(top.getAndSet(null), position);
    }

    private int wake(@Nullable Waiter first, long position) {
        int count = 0;
        for (Waiter waiter = first; waiter != null; ) {
            final Waiter following = waiter.next;
            if (waiter.position <= position) {
                waiter.isWoken = true;
                LockSupport.unpark(waiter.thread);
                count++;
            } else {
                waiter.next = kept;
                kept = waiter;
            }
            waiter = following;
        }
        return count;
    }
}
