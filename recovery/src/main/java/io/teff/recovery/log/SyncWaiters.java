package io.teff.recovery.log;

import io.teff.engine.os.Clock;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until the log is drained up to a position. Each is parked by itself and shares no lock with the
 * others, so that many of them that one sync has served do not wake in a queue. Any number of threads wait, one wakes.
 *
 * <pre>
 *  await: push ──> (spin) ──> park            wake: take all ──> those in front of the position: unpark
 *                                                              └> the others: kept for the next time
 * </pre>
 * Who waits alone spins for as long as a sync takes, before it parks: being woken costs as much again.
 */
final class SyncWaiters {
    private static final long SPIN_NS = 200_000;

    /** A thread that waits. */
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

    /** Tells whether there is nothing to wait for any more. */
    @FunctionalInterface
    interface End {
        boolean isReached();
    }

    private final Clock clock;
    private final AtomicReference<@Nullable Waiter> top = new AtomicReference<>();
    /** Those that were seen and not served. */
    private @Nullable Waiter kept;

    SyncWaiters(Clock clock) {
        this.clock = clock;
    }

    /**
     * Waits. Interrupts are kept for later.
     *
     * @param position that must be drained
     * @param wake is called when everybody knows that this thread waits
     * @param end tells when it is over; {@link #wake} is called after that
     */
    void await(long position, Runnable wake, End end) {
        boolean isInterrupted = false;
        Waiter waiter = push(position);
        wake.run();
        if (waiter.isAlone) {
            spin(end);
        }
        while (!end.isReached()) {
            if (waiter.isWoken) {                               // for something that is over already
                waiter = push(position);
                wake.run();
            } else {
                LockSupport.park(this);
                isInterrupted |= Thread.interrupted();
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
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

    /** Whether somebody waits that was not seen yet by the one who wakes. */
    boolean hasNew() {
        return top.get() != null;
    }

    /** Wakes who waits for a position in front of this one; returns how many. */
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
