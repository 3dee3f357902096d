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
 * <p><b>Spare threads.</b> A handler waiting for an answer of another node may wait for a handler of this node: the
 * other node may send a request of its own before answering. If all threads wait in such a way, neither node continues.
 * So a waiting thread does not count as a thread that runs handlers: as long as tasks wait, a spare thread takes the
 * place of the waiting thread. A spare thread is virtual, and ends on finding no task. Spare threads are never more
 * numerous than waiting handlers.
 *
 * <p>A thread about to wait leaves the count of active threads and then looks for tasks; a thread with a new task adds
 * the task and then looks at the count, with full fences in between. So at least one thread sees the step of the other
 * thread. A spare thread about to end follows the order of a thread about to wait.
 */
public final class HandlerThreads implements Executor, AutoCloseable, AnswerWait {
    private static final int QUEUE_LENGTH = 1 << 14;

    private final MpmcAtomicArrayQueue<Runnable> queue = new MpmcAtomicArrayQueue<>(QUEUE_LENGTH);
    /** Tasks without room in the first queue. */
    private final ConcurrentLinkedQueue<Runnable> more = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ThreadParking sleepers = new ThreadParking();
    private final String name;
    /** Threads able to run handlers, without threads waiting for an answer. */
    private final AtomicInteger active;
    private final Set<Thread> spares = ConcurrentHashMap.newKeySet();
    private volatile boolean isClosed;
    private final Supplier<@Nullable Runnable> poll = this::poll;
    private final BooleanSupplier isOver = () -> isClosed;

    /**
     * Makes threads without starting them.
     *
     * @param name of the threads, in front of the thread number
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

    /** Runs a task; an interrupt left behind by a handler is not for the next handler. */
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

    /** Runs the next task in the calling thread; returns false if there is no task. For simulators. */
    boolean runNext() {
        final Runnable task = poll();
        if (task == null) {
            return false;
        }
        run(task);
        return true;
    }

    // ---- handlers that wait ----

    /**
     * Lets another thread run handlers while the calling thread waits; returns false for a thread outside this pool.
     */
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

    /** Returns whether a thread is a thread or a spare thread of this pool. */
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

    /**
     * If the system has no memory for a thread, the task waits: the task is queued, so the adder must not see a
     * failure.
     */
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
            addSpare();                                         // for a task added meanwhile
        }
    }

    // ---- the end ----

    /** Runs the waiting tasks, then ends the threads. */
    public void finish() {
        isClosed = true;
        sleepers.wakeAll();
    }

    /**
     * Ends and joins the threads. A call from a thread of this pool does not wait, because all threads of this pool may
     * call at the same time.
     */
    @Override
    public void close() {
        finish();
        if (!isOne(Thread.currentThread())) {
            threads.forEach(Threads::join);
            spares.forEach(Threads::join);
        }
    }
}
