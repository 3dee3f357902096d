package io.teff.cluster.net;

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

/** Threads that run handlers. Nothing is allocated for a task while fewer than so many wait. Idle threads sleep. */
final class Workers implements Executor, AutoCloseable {
    private static final int QUEUE_LENGTH = 1 << 14;

    private final MpmcAtomicArrayQueue<Runnable> queue = new MpmcAtomicArrayQueue<>(QUEUE_LENGTH);
    /** What the other has no room for. */
    private final ConcurrentLinkedQueue<Runnable> more = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Sleepers sleepers = new Sleepers();
    private volatile boolean isClosed;
    private final Supplier<@Nullable Runnable> poll = this::poll;
    private final BooleanSupplier isOver = () -> isClosed;

    Workers(NetworkConfig config, Clock clock) {
        for (int i = 0; i < config.handlerThreads(); i++) {
            threads.add(Threads.SYSTEM.create(config.name() + "-handler-" + i,
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
        sleepers.wake();
    }

    private void run(IdleSteps idle) {
        for (Runnable task = next(idle); task != null; task = next(idle)) {
            Guarded.run(task);
            if (Thread.interrupted()) {
                idle.worked();                                  // left behind by a handler: of no meaning to the next
            }
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
        return sleepers.take(poll, isOver);
    }

    /** Runs what was added, then ends the threads. */
    void end() {
        isClosed = true;
        sleepers.wakeAll();
    }

    /** Ends the threads, and waits for them; one of them waits for none, as the others may do the same. */
    @Override
    public void close() {
        end();
        if (!threads.contains(Thread.currentThread())) {
            threads.forEach(Threads::join);
        }
    }
}
