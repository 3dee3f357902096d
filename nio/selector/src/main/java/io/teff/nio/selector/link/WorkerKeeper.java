package io.teff.nio.selector.link;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ucx.worker.UcxWorker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a worker of UCX: which thread makes progress, and which thread sleeps in the worker's descriptors.
 *
 * <p>A thread of the program that waits for a link makes progress itself, so a message wakes no second thread. The
 * thread first <em>spins</em>: it makes progress until the link is ready or a short time is over. Then the thread tries
 * to become the <em>keeper</em>, the only thread that sleeps in the descriptors. A waiter that finds another waiter as
 * keeper sleeps elsewhere; the keeper handles the message and wakes the waiter. The helper is a thread of the provider:
 * it keeps the worker while no waiter does.
 *
 * <pre>
 *              a waiter sleeps                        no round of a waiter within the pace
 *   helper  ───────────────────────&gt; waiter ───&gt; none ──────────────────────────────────────&gt; helper
 *   keeps                            keeps  &lt;───
 * </pre>
 *
 * <p>Between two waits of a program nobody keeps the worker. The helper leaves that gap alone for {@link #PACE_NS}: a
 * hand-over for each message would wake a second thread for each message. A message for another waiter is late by the
 * pace at most.
 *
 * <p><b>No wake is lost.</b> A keeper publishes itself before it looks for steps or for its condition; another thread
 * adds a step or changes the link before it reads the keeper. A waiter that sleeps elsewhere is woken by the change of
 * its link, whichever thread handles the message. That waiter calls {@link #require} first, so that a keeper exists.
 *
 * <p><b>Locks.</b> Progress holds the lock of the worker. What follows from progress holds the turn. A waiter takes one
 * of these only if it is free, and holds no lock of a link. A thread that gives the turn back looks for steps again, so
 * the step of a thread without the turn is not forgotten. Within the turn come the locks of links, and within the locks
 * of links the lock of the worker.
 */
public final class WorkerKeeper {
    /** Longest time without a keeper, and the time between looks of the helper while waiters make progress. */
    private static final long PACE_NS = 500_000;
    /**
     * Waiters that sleep beside the keeper, from which on no waiter spins or becomes the keeper: most messages are for
     * sleeping waiters then, and a keeper that leaves for each of its own messages costs two wakes more.
     */
    private static final int BESIDE_MAX = 8;
    /** Rounds of a spinning thread before the thread offers its processor to others, such as the peer. */
    static final int SPINS = 20;

    private static final int NONE = -1;

    private final UcxWorker worker;
    private final WorkerSteps steps;
    private final long spinNs;
    private final Thread helper;
    private final ReentrantLock turn = new ReentrantLock();
    private final AtomicReference<@Nullable Thread> keeper = new AtomicReference<>();
    /** Rounds of waiters, about. */
    private final AtomicLong rounds = new AtomicLong();
    /** Waiters that sleep beside the keeper. */
    private final AtomicInteger beside = new AtomicInteger();
    private final AtomicInteger spinners = new AtomicInteger();
    private final int spinnersMax = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
    /** Held during a sleep in the descriptors, so that the helper sleeps there as the keeper only. */
    private final ReentrantLock descriptors = new ReentrantLock();
    private volatile boolean isResting;
    private volatile boolean isRequired;
    // ---- of the helper alone ----
    private long seenRounds;

    WorkerKeeper(UcxWorker worker, WorkerSteps steps, long spinNs) {
        this.worker = worker;
        this.steps = steps;
        this.spinNs = spinNs;
        helper = Thread.ofPlatform().daemon().name("teff-nio-ucx").unstarted(this::run);
    }

    void start() {
        helper.start();
    }

    void join(long timeoutMs) throws InterruptedException {
        helper.join(timeoutMs);
    }

    // ---- for waiters ----

    /** Makes progress once, if no other thread makes progress at this moment; returns whether there was work. */
    public boolean help() {
        int work = 0;
        try {
            work = worker.tryProgress();
        } catch (RdmaException | IllegalStateException e) {
            failed(e);
        }
        if (!Thread.currentThread().isVirtual()) {
            rounds.lazySet(rounds.get() + 1);                   // a lost count is no harm
        }
        return extras() | work > 0;
    }

    /** Does what follows from progress. A taken turn means that another thread does these steps. */
    private boolean extras() {
        boolean hasWorked = false;
        boolean isAgain = steps.hasExtras();
        while (isAgain && turn.tryLock()) {
            try {
                hasWorked |= guardedExtras() > 0;
            } finally {
                turn.unlock();
            }
            isAgain = steps.hasSharedSteps();                   // of a thread that found the turn taken
        }
        return hasWorked;
    }

    private int guardedExtras() {
        try {
            return steps.extras();
        } catch (RdmaException | IllegalStateException e) {
            failed(e);
            return 0;
        }
    }

    private int guardedProgress() {
        try {
            return worker.progress();
        } catch (RdmaException | IllegalStateException e) {
            failed(e);
            return 0;
        }
    }

    private void failed(RuntimeException failure) {
        if (!steps.isClosed()) {
            steps.failed(failure);
        }
    }

    /**
     * Makes progress until a condition holds, for a short time.
     *
     * @param memory of the waiter
     * @param condition is asked again and again
     * @return whether the condition holds
     */
    public boolean spin(WaitMemory memory, BooleanSupplier condition) {
        if (condition.getAsBoolean()) {
            return true;
        }
        help();
        if (condition.getAsBoolean()) {
            return true;
        }
        if (spinNs == 0 || !memory.isShort() || isCrowded() || Thread.currentThread().isVirtual()) {
            return false;
        }
        try {
            return spinners.incrementAndGet() <= spinnersMax && spinOn(condition);
        } finally {
            spinners.decrementAndGet();
        }
    }

    private boolean spinOn(BooleanSupplier condition) {
        final long beginNs = System.nanoTime();
        int count = 0;
        do {
            if (count++ < SPINS) {
                Thread.onSpinWait();
            } else {
                Thread.yield();
            }
            help();
            if (condition.getAsBoolean()) {
                return true;
            }
        } while (System.nanoTime() - beginNs < spinNs && !steps.isClosed());
        return false;
    }

    /** Takes note of the length of a wait, from the first look to the end. */
    public void waited(WaitMemory memory, long ns) {
        memory.waited(ns, spinNs);
    }

    private boolean isCrowded() {
        return beside.get() >= BESIDE_MAX;
    }

    /**
     * Makes the caller the keeper, unless a waiter is the keeper, many waiters sleep elsewhere, or the caller is a
     * virtual thread: a sleep in descriptors keeps the carrier of the thread.
     *
     * @return whether the caller is the keeper now, so that {@link #end} must follow
     */
    public boolean begin() {
        final Thread caller = Thread.currentThread();
        if (isCrowded() || caller.isVirtual() || steps.isClosed()) {
            return false;
        }
        if (keeper.compareAndSet(null, caller)) {
            return true;
        }
        if (keeper.compareAndSet(helper, caller)) {
            signalWorker();                                     // the helper leaves the descriptors
            return true;
        }
        return false;
    }

    /** Ends {@link #begin}. */
    public void end() {
        keeper.set(null);
        if (isResting) {
            LockSupport.unpark(helper);
        }
    }

    /** Counts the caller as a waiter that sleeps elsewhere, and calls {@link #require}. */
    public void beginBeside() {
        beside.incrementAndGet();
        require();
    }

    /** Ends {@link #beginBeside}. */
    public void endBeside() {
        beside.decrementAndGet();
    }

    /** Makes sure that a thread keeps the worker while the caller sleeps elsewhere. */
    public void require() {
        if (keeper.get() == null) {
            isRequired = true;
            LockSupport.unpark(helper);
        }
    }

    /**
     * Sleeps in the descriptors of the worker; for the keeper. Makes progress before and behind the sleep.
     *
     * @param timeoutNs longest time
     */
    void sleep(long timeoutNs) {
        sleep(timeoutNs, NONE);
    }

    /**
     * Sleeps as {@link #sleep(long)}, and ends also when a descriptor becomes readable.
     *
     * @param timeoutNs longest time
     * @param descriptor such as that of an epoll
     * @return whether UCX or a waker has ended the sleep, or the helper has slept until now, so that the caller has to
     *     look before it sleeps; false for the descriptor or the time
     */
    public boolean sleep(long timeoutNs, int descriptor) {
        boolean isByUcx = false;
        if (!descriptors.tryLock()) {
            descriptors.lock();                                 // the helper leaves: begin has signalled
            descriptors.unlock();
            return true;                                        // a wake for the caller may have gone to the helper
        }
        try {
            isByUcx = descriptor == NONE ? worker.sleep(timeoutNs) : worker.sleep(timeoutNs, descriptor);
        } catch (RdmaException | IllegalStateException e) {
            failed(e);
        } finally {
            descriptors.unlock();
        }
        help();
        return isByUcx;
    }

    /** {@return whether a thread is the keeper, for tests} */
    public boolean isKeptBy(Thread thread) {
        return thread.equals(keeper.get());
    }

    /** {@return whether the helper is the keeper, for tests} */
    public boolean isKeptByHelper() {
        return helper.equals(keeper.get());
    }

    /** {@return whether the helper sleeps beside a keeper, for tests} */
    public boolean isHelperResting() {
        return isResting && helper.getState() == Thread.State.TIMED_WAITING;
    }

    // ---- for links: any thread, also within handlers ----

    /** Ends the sleep of a keeper, after a change that the keeper waits for. */
    void wake() {
        if (!Thread.currentThread().equals(keeper.get())) {
            signalWorker();
        }
    }

    /** Lets a thread run a step that was added outside of a handler. */
    void signal() {
        if (!turn.isHeldByCurrentThread()) {                    // else the caller runs the step at once
            signalHelper();
        }
    }

    /** Lets the helper run a step that was added. */
    void signalHelper() {
        if (helper.equals(keeper.get())) {
            signalWorker();
        } else {
            LockSupport.unpark(helper);
        }
    }

    /** Lets a thread look after an operation that UCX has not finished. */
    void underWay() {
        final Thread now = keeper.get();
        if (now == null) {
            if (isResting) {
                LockSupport.unpark(helper);                     // else the helper looks within its pace
            }
        } else if (!Thread.currentThread().equals(now)) {
            signalWorker();
        }
    }

    private void signalWorker() {
        if (!steps.isClosed()) {
            try {
                worker.signal();
            } catch (IllegalStateException e) {
                failed(e);
            }
        }
    }

    // ---- the helper ----

    private void run() {
        int quiet = 0;
        while (!steps.isClosed()) {
            final boolean hasSteps = steps.hasSteps();
            if (hasSteps) {
                turn.lock();
            } else if (!turn.tryLock()) {
                LockSupport.parkNanos(this, PACE_NS);           // a waiter makes progress
                continue;
            }
            int work = 0;
            try {
                work = guardedProgress() + guardedExtras() + steps.helperRound(quiet);
            } finally {
                turn.unlock();
            }
            quiet = work == 0 ? quiet + 1 : 0;
            if (work == 0 && !steps.hasSteps()) {
                rest();
            }
        }
        keeper.compareAndSet(helper, null);
        steps.end();
    }

    /** Sleeps as the keeper, or beside a keeper. */
    private void rest() {
        final boolean isBusy = rounds.get() != seenRounds;
        seenRounds = rounds.get();
        final boolean isWanted = isRequired;
        isRequired = false;
        if ((isWanted || !isBusy) && keeper.compareAndSet(null, helper) || helper.equals(keeper.get()) && !isBusy) {
            sleepAsHelper();
        } else if (isBusy) {
            keeper.compareAndSet(helper, null);                 // waiters spin: their messages wake no helper
            LockSupport.parkNanos(this, PACE_NS);
        } else {
            isResting = true;
            if (keeper.get() != null && !steps.hasSteps()) {
                LockSupport.parkNanos(this, steps.sleepNs());
            }
            isResting = false;
        }
    }

    /**
     * Sleeps in the descriptors, unless a waiter has become the keeper meanwhile. Without the lock, that waiter could
     * take its own signal first, and wait behind this sleep instead of in its epoll. A waiter that becomes the keeper
     * behind the look signals while this thread has the lock, so this thread gets the signal.
     */
    private void sleepAsHelper() {
        if (!descriptors.tryLock()) {
            return;                                             // a waiter sleeps there
        }
        try {
            if (helper.equals(keeper.get()) && !steps.hasSteps() && !steps.isClosed()) {
                worker.sleep(steps.sleepNs());
            }
        } catch (RdmaException | IllegalStateException e) {
            steps.failed(e);
        } finally {
            descriptors.unlock();
        }
    }
}
