package io.teff.cluster.net;

import io.teff.cluster.net.os.Machine;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.agrona.concurrent.NanoClock;
import org.jctools.queues.atomic.MpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Threads that run handlers. Nothing is allocated for a task while fewer than so many wait. Idle threads sleep.
 *
 * <p>A task is added and then the sleepers are counted; a thread counts itself among them and then looks for a task:
 * with a full fence in between on both sides one of them sees the other.
 */
final class Workers implements Executor, AutoCloseable {
    private static final int QUEUE_LENGTH = 1 << 14;

    private final MpmcAtomicArrayQueue<Runnable> queue = new MpmcAtomicArrayQueue<>(QUEUE_LENGTH);
    /** What the other has no room for. */
    private final ConcurrentLinkedQueue<Runnable> more = new ConcurrentLinkedQueue<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition added = lock.newCondition();
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger sleeping = new AtomicInteger();
    private volatile boolean isClosed;

    Workers(NetworkConfig config, NanoClock clock) {
        for (int i = 0; i < config.handlerThreads(); i++) {
            threads.add(Machine.thread(config.name() + "-handler-" + i,
                () -> run(new IdleSteps(config.spinNs(), clock))));
        }
    }

    /** Starts the threads. */
    void start() {
        threads.forEach(Thread::start);
    }

    @Override
    public void execute(Runnable task) {
        if (!more.isEmpty() || !queue.offer(task)) {
            more.add(task);
        }
        VarHandle.fullFence();
        if (sleeping.get() > 0) {
            lock.lock();
            try {
                added.signal();
            } finally {
                lock.unlock();
            }
        }
    }

    private void run(IdleSteps idle) {
        for (Runnable task = next(idle); task != null; task = next(idle)) {
            task.run();
        }
    }

    private @Nullable Runnable poll() {
        final Runnable task = queue.poll();
        return task != null ? task : more.poll();
    }

    /** The next task; null when all is over. */
    private @Nullable Runnable next(IdleSteps idle) {
        idle.worked();
        do {
            final Runnable task = poll();
            if (task != null) {
                return task;
            }
        } while (idle.step());
        lock.lock();
        try {
            while (true) {
                sleeping.incrementAndGet();
                VarHandle.fullFence();
                final Runnable task = poll();
                if (task != null || isClosed) {
                    sleeping.decrementAndGet();
                    return task;
                }
                added.awaitUninterruptibly();
                sleeping.decrementAndGet();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Runs what was added, then ends the threads; waits for them, unless one of them calls. */
    @Override
    public void close() {
        isClosed = true;
        lock.lock();
        try {
            added.signalAll();
        } finally {
            lock.unlock();
        }
        threads.forEach(Machine::join);
    }
}
