package io.teff.rdma.ucx.worker;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ffi.NativeLibrary;
import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxFeature;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.call.SetupCall;
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
 * <p>A sleeper holds a lock of its own and not the worker's turn, so that other threads go on, and so that a close can
 * wake it and wait for it.
 */
public final class WorkerEvents {
    private static final Downcall POLL = Downcall.of(NativeLibrary.C, "poll", Downcall.Result.INT, 3);
    /** {@code struct pollfd}: descriptor, wanted events, events. */
    private static final long POLL_SIZE = 8;
    private static final long POLL_WANTED = 4;
    private static final short POLL_IN = 1;
    private static final int EINTR = 4;
    private static final int NONE = -1;
    /** Rounds of a wait before the thread lets others run. */
    private static final int SPINS = 1000;

    private final UcxWorker worker;
    /** Not of the worker's arena: a sleeper may be late. */
    private final MemorySegment poll = Arena.ofAuto().allocate(POLL_SIZE, Long.BYTES);
    /** Held by the sleeper. */
    private final ReentrantLock sleeping = new ReentrantLock();
    /** Held while the worker is signalled; guards {@link #isOver}. */
    private final ReentrantLock signalling = new ReentrantLock();
    /** A signal that no sleep has seen: arming takes the event of UCX, so that alone would be lost. */
    private final AtomicBoolean isSignalled = new AtomicBoolean();
    private int descriptor = NONE;
    private boolean isOver;

    public WorkerEvents(UcxWorker worker) {
        this.worker = worker;
    }

    /** Waits a moment in a loop that makes progress; returns the next number of rounds. */
    public static int pause(int rounds) {
        if (rounds < SPINS) {
            Thread.onSpinWait();
            return rounds + 1;
        }
        Thread.yield();
        return rounds;
    }

    /** Returns the event descriptor. Within the worker's turn. */
    public int descriptor() {
        worker.context().require(UcxFeature.WAKEUP);
        if (descriptor == NONE) {
            try (Arena scratch = Arena.ofConfined()) {
                final MemorySegment out = scratch.allocate(ValueLayout.JAVA_INT);
                SetupCall.WORKER_DESCRIPTOR.run(worker.pointer(), out.address());
                descriptor = out.get(ValueLayout.JAVA_INT, 0);
            }
        }
        return descriptor;
    }

    /** Arms the worker within its turn; returns false if there are events. */
    public boolean arm() {
        worker.context().require(UcxFeature.WAKEUP);
        final int code = SetupCall.WORKER_ARM.call(worker.pointer());
        if (code == UcxStatus.BUSY.code()) {
            return false;
        }
        UcxException.check(SetupCall.WORKER_ARM.function(), code);
        return true;
    }

    /** Makes progress, or sleeps until it can; returns false if the time is over. */
    public boolean sleep(long timeoutNs) {
        final long begin = System.nanoTime();
        sleeping.lock();
        try {
            while (true) {
                if (worker.progress() > 0) {
                    return true;
                }
                final int file = worker.eventDescriptor();
                final boolean isArmed = worker.arm();
                if (isSignalled.getAndSet(false)) {             // after arming: a later one is an event again
                    return true;
                }
                if (!isArmed) {
                    continue;                                   // there are events: progress takes them
                }
                final long leftNs = timeoutNs - (System.nanoTime() - begin);
                if (leftNs <= 0) {
                    return false;
                }
                if (isReadable(file, TimeUnit.NANOSECONDS.toMillis(leftNs + TimeUnit.MILLISECONDS.toNanos(1) - 1))) {
                    isSignalled.set(false);
                    worker.progress();
                    return true;
                }
            }
        } finally {
            sleeping.unlock();
        }
    }

    private boolean isReadable(int file, long timeoutMs) {
        poll.set(ValueLayout.JAVA_INT, 0, file);
        poll.set(ValueLayout.JAVA_SHORT, POLL_WANTED, POLL_IN);
        final long count = POLL.call(poll.address(), 1, Math.min(timeoutMs, Integer.MAX_VALUE));
        Reference.reachabilityFence(poll);
        if (count < 0 && CallState.errno() != EINTR) {
            throw new RdmaException(POLL.name(), CallState.errno());
        }
        return count > 0;
    }

    /** Wakes the sleeper; for any thread. */
    public void signal() {
        worker.context().require(UcxFeature.WAKEUP);
        signalling.lock();
        try {
            if (isOver) {
                throw new IllegalStateException("the worker is closed");
            }
            isSignalled.set(true);
            SetupCall.WORKER_SIGNAL.run(worker.pointer());
        } finally {
            signalling.unlock();
        }
    }

    /** Wakes the sleeper of a worker that is being closed, and waits for it, at most for the close timeout. */
    public void wakeSleeper() {
        final long begin = System.nanoTime();
        if (worker.context().config().features().contains(UcxFeature.WAKEUP)) {
            while (!sleeping.tryLock()) {
                if (System.nanoTime() - begin >= worker.context().closeTimeoutNs()) {
                    return;
                }
                signal();
                Thread.yield();
            }
            sleeping.unlock();
        }
    }

    /** No signal reaches UCX from here on. */
    public void end() {
        signalling.lock();
        isOver = true;
        signalling.unlock();
    }
}
