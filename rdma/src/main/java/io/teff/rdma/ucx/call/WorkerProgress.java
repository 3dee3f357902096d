package io.teff.rdma.ucx.call;

import io.teff.rdma.RdmaObject;
import io.teff.rdma.ffi.NanoClock;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inner side of a worker, which all objects of the worker share: the native worker, the turn, the requests, and the
 * waits that make progress.
 *
 * <p>Requests, endpoints, listeners and messages know this class and not the worker, so that the worker alone knows
 * them all. Threads: {@link #take} decides. Methods without a word about the turn run within the turn.
 */
public final class WorkerProgress {
    /** The limit of the numbers of active messages. */
    public static final int MESSAGE_IDS = 1 << 16;

    /** Rounds of a wait before the thread lets others run. */
    private static final int SPINS = 1000;

    private final RdmaObject worker;
    private final ContextCore context;
    private final Turn turn;
    private final NanoClock clock;
    private final long pointer;
    private final long headerMax;
    /** Changed within the turn and the lock of the list, read within the turn or the lock. */
    private final List<RequestState> requests = new ArrayList<>();

    /** Written within the turn only. */
    private volatile long failureCount;
    private boolean isProgressing;
    private int handlerDepth;
    private @Nullable Throwable handlerFailure;

    /**
     * Keeps a new worker of UCX.
     *
     * @param worker is asked whether it is open
     * @param context of the worker
     * @param mode the rule of threads
     * @param pointer the address of UCX's worker
     * @param headerMax the limit of an active message's header, in bytes
     */
    public WorkerProgress(RdmaObject worker, ContextCore context, UcxThreadMode mode, long pointer, long headerMax) {
        this.worker = worker;
        this.context = context;
        this.pointer = pointer;
        this.headerMax = headerMax;
        clock = context.clock();
        turn = new Turn(mode, clock);
        context.add(this);
    }

    /** Waits a moment in a loop that makes progress; returns the next number of rounds. For any thread. */
    public static int pause(int rounds) {
        if (rounds < SPINS) {
            Thread.onSpinWait();
            return rounds + 1;
        }
        Thread.yield();
        return rounds;
    }

    /** Returns the context. For any thread. */
    public ContextCore context() {
        return context;
    }

    /** Returns the address of UCX's worker. For any thread. */
    public long pointer() {
        return pointer;
    }

    /** Returns the clock for all waits. For any thread. */
    public NanoClock clock() {
        return clock;
    }

    /** Returns the limit of an active message's header, in bytes. For any thread. */
    public long headerMax() {
        return headerMax;
    }

    // ---- the turn ----

    /**
     * Takes the turn of the open worker.
     *
     * @throws IllegalStateException if this thread may not have the turn, or the worker is closed
     */
    public void take() {
        turn.take();
        if (!worker.isOpen()) {
            turn.giveBack();
            throw new IllegalStateException("UCX worker is closed");
        }
    }

    /** Takes the turn to close an object of the worker, after the call of another thread, in any mode. */
    public void takeToClose() {
        if (!takeAtEnd()) {
            throw new IllegalStateException("another thread uses the worker");
        }
    }

    /** Takes the turn to close the worker; returns whether this thread has the turn. */
    public boolean takeAtEnd() {
        return turn.takeWithin(context.closeTimeoutNs());
    }

    /** Gives the turn back. */
    public void giveBack() {
        turn.giveBack();
    }

    // ---- progress and handlers ----

    /**
     * Takes the turn, moves all operations, and runs handlers.
     *
     * @return how many events there were
     * @throws IllegalStateException within a handler
     */
    public int run() {
        take();
        return runWithin();
    }

    /** Does the same if the turn is free; returns -1 if another thread has the turn. */
    public int tryRun() {
        if (!turn.tryTake()) {
            return -1;
        }
        if (!worker.isOpen()) {
            turn.giveBack();
            throw new IllegalStateException("UCX worker is closed");
        }
        return runWithin();
    }

    private int runWithin() {
        try {
            if (isInHandler()) {
                throw new IllegalStateException("progress within a handler");
            }
            isProgressing = true;
            final int count = DataCalls.progress(pointer);
            if (handlerFailure != null) {
                rethrow();
            }
            return count;
        } finally {
            isProgressing = false;
            giveBack();
        }
    }

    private void rethrow() {
        final Throwable failure = handlerFailure;
        handlerFailure = null;
        if (failure instanceof RuntimeException runtime) {
            throw runtime;
        }
        if (failure instanceof Error error) {
            throw error;
        }
        throw new AssertionError(failure);                      // handlers declare no other ones
    }

    /** Takes note that a handler of active messages begins. */
    public void handlerBegins() {
        handlerDepth++;
    }

    /** Takes note that a handler of active messages ends. */
    public void handlerEnds() {
        handlerDepth--;
    }

    /** Keeps the failure of a handler, which {@link #run} throws. */
    public void handlerFailed(Throwable failure) {
        if (handlerFailure == null) {
            handlerFailure = failure;
        } else {
            handlerFailure.addSuppressed(failure);
        }
    }

    /** Returns whether a handler runs, or may run. */
    public boolean isInHandler() {
        return isProgressing || handlerDepth > 0;
    }

    /** Refuses calls within a handler that create or destroy objects. */
    public void requireNoHandler() {
        if (isInHandler()) {
            throw new IllegalStateException("objects are not created or closed within a handler");
        }
    }

    /** Counts an endpoint that has failed. */
    @SuppressWarnings("NonAtomicVolatileUpdate")                // one thread at a time
    void endpointFailed() {
        failureCount++;
    }

    /** Returns how many endpoints have failed. For any thread. */
    public long failureCount() {
        return failureCount;
    }

    // ---- the end of operations ----

    /** Adds a new request. */
    public void add(RequestState request) {
        synchronized (requests) {
            requests.add(request);
        }
    }

    /** Makes progress until a result is final, at most for the close timeout; then gives the operation up. */
    public UcxStatus settle(long result) {
        if (result == 0) {
            return UcxStatus.OK;
        }
        if (result < 0 && result >= Byte.MIN_VALUE) {
            return UcxStatus.of((int) result);
        }
        final long begin = clock.nowNs();
        int rounds = 0;
        int code = DataCalls.check(result);
        while (code == UcxStatus.IN_PROGRESS.code() && clock.nowNs() - begin < context.closeTimeoutNs()) {
            DataCalls.progress(pointer);
            code = DataCalls.check(result);
            rounds = pause(rounds);
        }
        DataCalls.free(result);
        return UcxStatus.of(code);
    }

    /**
     * Ends the operations that use a range of memory, if this thread can take the turn; returns whether no operation
     * uses the range.
     */
    boolean settle(long start, long size) {
        if (!takeAtEnd()) {
            synchronized (requests) {
                return requests.stream().noneMatch(request -> request.isUsing(start, size));
            }
        }
        try {
            final List<RequestState> used = requests.stream().filter(request -> request.isUsing(start, size)).toList();
            return finish(used);
        } finally {
            giveBack();
        }
    }

    /** Waits for the operations of an endpoint; returns whether no operation is under way. */
    public boolean settleAllOf(Object endpoint) {
        return finish(requests.stream().filter(request -> request.isBusyWith(endpoint)).toList());
    }

    /** Ends all operations of a worker that is being closed; returns whether UCX has no operation any longer. */
    public boolean settleAll() {
        boolean isIdle = finish(requests);
        requests.forEach(RequestState::abandon);
        isIdle &= settle(DataCalls.workerFlush(pointer, Operations.PLAIN)) != UcxStatus.IN_PROGRESS;
        context.forget(this);
        return isIdle;
    }

    /** Cancels receives and makes progress until all requests are done or the time is over. */
    private boolean finish(List<RequestState> busy) {
        for (RequestState request : busy) {
            if (request.isBusy() && !request.poll() && request.isCancellable()) {
                DataCalls.cancel(pointer, request.pointer());
            }
        }
        final long begin = clock.nowNs();
        int rounds = 0;
        while (true) {
            boolean isDone = true;
            for (RequestState request : busy) {
                isDone &= !request.isBusy() || request.poll();
            }
            if (isDone || clock.nowNs() - begin >= context.closeTimeoutNs()) {
                return isDone;
            }
            DataCalls.progress(pointer);
            rounds = pause(rounds);
        }
    }
}
