package io.teff.cluster.net.thread;

import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run handlers. Adding a task allocates nothing while fewer than {@value #QUEUE_LENGTH} tasks wait. Idle
 * threads sleep.
 *
 * <p><b>Spare threads.</b> A handler that waits for an answer of another node may wait for a handler here: for the
 * request that the other node sends before it can answer. If all threads wait in such a way, neither node continues. So
 * a thread that waits does not count as one that runs handlers: as long as tasks wait, a spare thread, which is virtual
 * and ends when it finds no task, takes its place. There are as many spare threads as handlers that wait, at most.
 *
 * <p>A thread that begins to wait leaves the count of active threads and then looks for tasks; a thread that adds a
 * task adds it and then looks at the count, with full fences in between. So at least one of them sees the other. A
 * spare thread that ends does the same as one that begins to wait.
 */
public final class HandlerThreads implements Executor, AutoCloseable, AnswerWait {
    private static final int QUEUE_LENGTH = 1 << 14;

    private final MpmcAtomicArrayQueue<Runnable> queue = new MpmcAtomicArrayQueue<>(QUEUE_LENGTH);
    /** Tasks for which the first queue has no room. */
    private final ConcurrentLinkedQueue<Runnable> more = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ThreadParking sleepers = new ThreadParking();
    private final String name;
    /** Threads that run handlers or could, without those that wait for an answer. */
    private final AtomicInteger active;
    private final Set<Thread> spares = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;
    private final Supplier<@Nullable Runnable> poll = this::poll;
    private final BooleanSupplier isOver = () -> isClosed;

    /**
     * Makes threads that are not started.
     *
     * @param name of the threads, in front of their numbers
     */
    public HandlerThreads(String name, int count, long spinNs, Clock clock) {
        this.name = name;
        this.active = new AtomicInteger(count);
        for (int i = 0; i < count; i++) {
            threads.add(Threads.SYSTEM.create(name + "-" + i, () -> run(new IdleBackoff(spinNs, clock))));
        }
    }

    /** Starts the threads. */
    public void start() {
        threads.forEach(Thread::start);
    }

    @Override
    public void execute(Runnable task) {
        if (!more.isEmpty() || !queue.offer(task)) {
            more.add(task);
        }
        sleepers.wake();
        if (active.get() < threads.size()) {
            addSpare();
        }
    }

    private void run(IdleBackoff idle) {
        for (Runnable task = next(idle); task != null; task = next(idle)) {
            run(task);
        }
    }

    /** Runs a task; an interrupt that a handler leaves behind is not for the next one. */
    private static boolean run(Runnable task) {
        UserCode.run(task);
        return Threads.dropInterrupt();
    }

    private @Nullable Runnable poll() {
        final Runnable task = queue.poll();
        return task != null ? task : more.poll();
    }

    /** Returns the next task; null at the end. */
    private @Nullable Runnable next(IdleBackoff idle) {
        idle.worked();
        do {
            final Runnable task = poll();
            if (task != null) {
                return task;
            }
        } while (idle.step());
        return sleepers.take(poll, isOver);
    }

    private boolean isIdle() {
        return queue.isEmpty() && more.isEmpty();
    }

    /** Runs the next task in the calling thread; returns false if there is none. For simulators. */
    boolean runNext() {
        final Runnable task = poll();
        if (task == null) {
            return false;
        }
        run(task);
        return true;
    }

    // ---- handlers that wait ----

    /** Lets another thread run handlers while this one waits; returns false for other threads than these. */
    @Override
    public boolean begin() {
        if (!isOne(Thread.currentThread())) {
            return false;
        }
        active.decrementAndGet();
        addSpare();
        return true;
    }

    @Override
    public void end() {
        active.incrementAndGet();
    }

    /** Returns whether a thread is one of these, or takes the place of one. */
    boolean isOne(Thread thread) {
        return threads.contains(thread) || !spares.isEmpty() && spares.contains(thread);
    }

    /** Starts a spare thread if a task waits, and fewer threads are active than there should be. */
    private void addSpare() {
        int now = active.get();
        while (now < threads.size() && !isIdle()) {
            if (active.compareAndSet(now, now + 1)) {
                startSpare();
                return;
            }
            now = active.get();
        }
    }

    /** Without memory for a thread the task waits: it is queued, so its adder must not see a failure. */
    private void startSpare() {
        try {
            Threads.virtual(name + "-spare", this::runSpare).start();
        } catch (Throwable e) {
            active.decrementAndGet();
        }
    }

    private void runSpare() {
        spares.add(Thread.currentThread());
        try {
            while (active.get() <= threads.size()) {
                final Runnable task = poll();
                if (task == null) {
                    break;
                }
                run(task);
            }
        } finally {
            active.decrementAndGet();
            spares.remove(Thread.currentThread());
            addSpare();                                         // for a task that was added meanwhile
        }
    }

    // ---- the end ----

    /** Runs the tasks that wait, then ends the threads. */
    public void finish() {
        isClosed = true;
        sleepers.wakeAll();
    }

    /** Ends the threads, and waits for them. If one of them calls, it waits for none, as the others may do the same. */
    @Override
    public void close() {
        finish();
        if (!isOne(Thread.currentThread())) {
            threads.forEach(Threads::join);
            spares.forEach(Threads::join);
        }
    }
}
