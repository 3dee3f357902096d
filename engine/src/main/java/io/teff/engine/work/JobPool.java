package io.teff.engine.work;

import io.teff.engine.compute.JobPriority;
import io.teff.engine.os.Threads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Threads that run the jobs of a node, with stealing and priorities. The threads start with the first task, and end
 * with the pool. Thread-safe.
 *
 * <p>A permit of the semaphore stands for a task that is in a queue. So a worker with a permit finds a task, and a
 * worker without one waits.
 */
public final class JobPool implements AutoCloseable {
    /** Most waiting tasks of a pool. */
    public static final int QUEUED_MAX = 65_536;

    private final String name;
    private final int threads;
    private final Threads seam;
    private final JobQueues<Runnable> queues;
    private final Semaphore waiting = new Semaphore(0);
    private final List<Thread> started = new ArrayList<>();
    private volatile boolean isStarted;
    private volatile boolean isClosed;

    /**
     * Makes a pool; threads start later.
     *
     * @param name part of the names of the threads
     * @param threads number of threads, from 1
     * @param seam makes the threads
     */
    public JobPool(String name, int threads, Threads seam) {
        this(name, threads, seam, QUEUED_MAX);
    }

    JobPool(String name, int threads, Threads seam, int queuedMax) {
        this.name = name;
        this.threads = threads;
        this.seam = seam;
        queues = new JobQueues<>(threads, JobPriority.values().length, queuedMax);
    }

    /**
     * Adds a task.
     *
     * @param priority among the waiting tasks
     * @param task must not throw
     * @return false if too many tasks wait, or the pool is closed: the task does not run
     */
    public boolean add(JobPriority priority, Runnable task) {
        if (isClosed || !queues.add(priority.ordinal(), task)) {
            return false;
        }
        waiting.release();
        if (!isStarted) {
            start();
        }
        return true;
    }

    private synchronized void start() {
        if (isStarted || isClosed) {
            return;
        }
        for (int i = 0; i < threads; i++) {
            final int worker = i;
            started.add(seam.create(name + '-' + i, () -> run(worker)));
        }
        started.forEach(Thread::start);
        isStarted = true;
    }

    private void run(int worker) {
        while (true) {
            waiting.acquireUninterruptibly();
            Threads.dropInterrupt();                            // code of an application may have left one
            if (isClosed) {
                return;
            }
            Runnable task = queues.take(worker);
            while (task == null) {                              // others have taken what was seen: there is one more
                task = queues.take(worker);
            }
            task.run();
        }
    }

    /** {@return the number of threads} */
    public int threads() {
        return threads;
    }

    /** {@return the number of waiting tasks} */
    public int waiting() {
        return queues.size();
    }

    /** Ends the threads after their running tasks; waiting tasks do not run. Does not wait. Idempotent. */
    @Override
    public synchronized void close() {
        isClosed = true;
        waiting.release(threads);
    }
}
