package io.teff.rdma.ucx.call;

import io.teff.rdma.ffi.NanoClock;
import io.teff.rdma.ucx.UcxThreadMode;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The right to call UCX for a worker. At most one thread has the right, and the thread may take the right again: a
 * handler that runs within {@code progress} sends.
 *
 * <p>{@link UcxThreadMode#SINGLE}: the thread that has made the worker has the turn forever, so a call costs a
 * comparison of two references. After the end of the thread, any thread has the turn. The other modes have a lock; in
 * {@link UcxThreadMode#SERIALIZED} no thread waits for it.
 */
final class Turn {
    /** The only thread, or null if there is a lock. */
    private final @Nullable Thread owner;
    private final ReentrantLock lock = new ReentrantLock();
    private final boolean isWaiting;
    private final NanoClock clock;

    Turn(UcxThreadMode mode, NanoClock clock) {
        this.clock = clock;
        owner = mode == UcxThreadMode.SINGLE ? Thread.currentThread() : null;
        isWaiting = mode == UcxThreadMode.MULTI;
    }

    /**
     * Takes the turn.
     *
     * @throws IllegalStateException if this thread may not have it
     */
    void take() {
        if (!Thread.currentThread().equals(owner)) {
            takeSlow();
        }
    }

    private void takeSlow() {
        if (owner != null) {
            if (owner.isAlive()) {
                throw new IllegalStateException("the worker belongs to thread " + owner.getName());
            }
        } else if (isWaiting) {
            lock.lock();
        } else if (!lock.tryLock()) {
            throw new IllegalStateException("another thread uses the worker");
        }
    }

    /**
     * Takes the turn if no other thread has it now.
     *
     * @return whether this thread has the turn
     * @throws IllegalStateException if the turn belongs to another thread forever
     */
    boolean tryTake() {
        if (owner != null) {
            take();
            return true;
        }
        return lock.tryLock();
    }

    /** Gives the turn back. */
    void giveBack() {
        if (owner == null) {
            lock.unlock();
        }
    }

    /**
     * Waits for the turn at most for a time, and returns whether this thread has the turn. An interrupt does not end
     * the wait.
     */
    boolean takeWithin(long ns) {
        if (owner != null) {
            return Thread.currentThread().equals(owner) || !owner.isAlive();
        }
        final long end = clock.nowNs() + ns;
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return lock.tryLock(Math.max(end - clock.nowNs(), 0), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    isInterrupted = true;
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
