package io.teff.rdma.ucx.worker;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ffi.NativeLibrary;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.SetupCall;
import io.teff.rdma.ucx.call.WorkerProgress;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The sleep of a worker: its event descriptor, and the rule arm, look again, sleep.
 *
 * <p>A sleeper holds a lock of its own and not the worker's turn, so that threads can use the worker meanwhile, and so
 * that a close can wake the sleeper and wait.
 */
final class WorkerEvents {
    private static final Downcall POLL = Downcall.of(NativeLibrary.C, "poll", Downcall.Result.INT, 3);
    /** {@code struct pollfd}: descriptor, wanted events, events. */
    private static final long POLL_SIZE = 8;
    private static final long POLL_WANTED = 4;
    private static final long POLL_EVENTS = 6;
    private static final short POLL_IN = 1;
    private static final int EINTR = 4;
    /** Refusals to arm in a row after which the thread sleeps all the same. */
    private static final int REFUSALS_MAX = 1_000;
    /** No descriptor: poll passes over a negative number. */
    static final int NONE = -1;

    private final WorkerProgress progress;
    /** Not of the worker's arena: a sleeper may be late. */
    private final MemorySegment poll = Arena.ofAuto().allocate(2 * POLL_SIZE, Long.BYTES);
    /** Held by the sleeper. */
    private final ReentrantLock sleeping = new ReentrantLock();
    /** Held while the worker is signalled; guards {@link #isOver}. */
    private final ReentrantLock signalling = new ReentrantLock();
    /** A signal that no sleep has seen: arming takes the event of UCX, so that alone would be lost. */
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    private int descriptor = NONE;
    private boolean isOver;

    WorkerEvents(WorkerProgress progress) {
        this.progress = progress;
    }

    /** Returns the event descriptor. Takes the turn. */
    int descriptor() {
        progress.take();
        try {
            progress.context().require(UcxFeature.WAKEUP);
            if (descriptor == NONE) {
                try (Arena scratch = Arena.ofConfined()) {
                    final MemorySegment out = scratch.allocate(ValueLayout.JAVA_INT);
                    SetupCall.WORKER_DESCRIPTOR.run(progress.pointer(), out.address());
                    descriptor = out.get(ValueLayout.JAVA_INT, 0);
                }
            }
            return descriptor;
        } finally {
            progress.giveBack();
        }
    }

    /** Takes the turn and arms the worker; returns false if there are events. */
    boolean arm() {
        progress.take();
        try {
            progress.context().require(UcxFeature.WAKEUP);
            final int code = SetupCall.WORKER_ARM.call(progress.pointer());
            if (code == UcxStatus.BUSY.code()) {
                return false;
            }
            UcxException.check(SetupCall.WORKER_ARM.function(), code);
            return true;
        } finally {
            progress.giveBack();
        }
    }

    /**
     * Makes progress, or sleeps until it can; returns false if the time is over, or another descriptor is readable.
     *
     * <p>UCX refuses to arm while sends wait for room at the peer. A peer that stands still would keep this thread
     * busy, so after some refusals the thread looks at UCX once in a millisecond.
     *
     * @param other a descriptor whose readiness ends the sleep as well, or {@link #NONE}
     */
    boolean sleep(long timeoutNs, int other) {
        final long begin = progress.clock().nowNs();
        int refusals = 0;
        sleeping.lock();
        try {
            while (true) {
                if (progress.run() > 0) {
                    return true;
                }
                final int file = descriptor();
                final boolean isArmed = arm();
                if (isSignalled.getAndSet(false)) {             // after arming: a later one is an event again
                    return true;
                }
                final long leftNs = timeoutNs - (progress.clock().nowNs() - begin);
                if (leftNs <= 0) {
                    return false;
                }
                if (!isArmed && refusals++ < REFUSALS_MAX) {
                    continue;                                   // there are events: progress takes them
                }
                final long leftMs = TimeUnit.NANOSECONDS.toMillis(leftNs + TimeUnit.MILLISECONDS.toNanos(1) - 1);
                if (isReadable(isArmed ? file : NONE, other, isArmed ? leftMs : 1)) {
                    if (poll.get(ValueLayout.JAVA_SHORT, POLL_EVENTS) == 0) {
                        return false;                           // the other descriptor; a signal stays remembered
                    }
                    isSignalled.set(false);
                    progress.run();
                    return true;
                }
            }
        } finally {
            sleeping.unlock();
        }
    }

    private boolean isReadable(int file, int other, long timeoutMs) {
        poll.set(ValueLayout.JAVA_INT, 0, file);
        poll.set(ValueLayout.JAVA_SHORT, POLL_WANTED, POLL_IN);
        poll.set(ValueLayout.JAVA_SHORT, POLL_EVENTS, (short) 0);
        poll.set(ValueLayout.JAVA_INT, POLL_SIZE, other);
        poll.set(ValueLayout.JAVA_SHORT, POLL_SIZE + POLL_WANTED, POLL_IN);
        final int files = other == NONE ? 1 : 2;
        final long count = POLL.call(poll.address(), files, Math.min(timeoutMs, Integer.MAX_VALUE));
        Reference.reachabilityFence(poll);
        if (count < 0 && CallState.errno() != EINTR) {
            throw new RdmaException(POLL.name(), CallState.errno());
        }
        return count > 0;
    }

    /** Wakes the sleeper; for any thread. */
    void signal() {
        progress.context().require(UcxFeature.WAKEUP);
        signalling.lock();
        try {
            if (isOver) {
                throw new IllegalStateException("the worker is closed");
            }
            isSignalled.set(true);
            SetupCall.WORKER_SIGNAL.run(progress.pointer());
        } finally {
            signalling.unlock();
        }
    }

    /** Wakes the sleeper of a worker during a close, and waits for the sleeper, at most for the close timeout. */
    void wakeSleeper() {
        final long begin = progress.clock().nowNs();
        if (progress.context().has(UcxFeature.WAKEUP)) {
            while (!sleeping.tryLock()) {
                if (progress.clock().nowNs() - begin >= progress.context().closeTimeoutNs()) {
                    return;
                }
                signal();
                Thread.yield();
            }
            sleeping.unlock();
        }
    }

    /** No signal reaches UCX from here on. */
    void end() {
        signalling.lock();
        isOver = true;
        signalling.unlock();
    }
}
