package io.teff.cluster.net.thread;

import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run handlers. Adding a task allocates nothing while fewer than {@value #QUEUE_LENGTH} tasks wait. Idle
 * threads sleep.
 */
public final class HandlerThreads implements Executor, AutoCloseable {
    private static final int QUEUE_LENGTH = 1 << 14;

    private final MpmcAtomicArrayQueue<Runnable> queue = new MpmcAtomicArrayQueue<>(QUEUE_LENGTH);
    /** Tasks for which the first queue has no room. */
    private final ConcurrentLinkedQueue<Runnable> more = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ThreadParking sleepers = new ThreadParking();
    private volatile boolean isClosed;
    private final Supplier<@Nullable Runnable> poll = this::poll;
    private final BooleanSupplier isOver = () -> isClosed;

    public HandlerThreads(String name, int count, long spinNs, Clock clock) {
        for (int i = 0; i < count; i++) {
            threads.add(Threads.SYSTEM.create(name + "-handler-" + i, () -> run(new IdleBackoff(spinNs, clock))));
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
    }

    private void run(IdleBackoff idle) {
        for (Runnable task = next(idle); task != null; task = next(idle)) {
            UserCode.run(task);
            if (Threads.dropInterrupt()) {
                idle.worked();                                  // left behind by a handler; not for the next one
            }
        }
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

    /** Runs the tasks that wait, then ends the threads. */
    public void end() {
        isClosed = true;
        sleepers.wakeAll();
    }

    /** Ends the threads, and waits for them. If one of them calls, it waits for none, as the others may do the same. */
    @Override
    public void close() {
        end();
        if (!threads.contains(Thread.currentThread())) {
            threads.forEach(Threads::join);
        }
    }
}
