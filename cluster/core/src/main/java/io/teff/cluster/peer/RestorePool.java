package io.teff.cluster.peer;

import io.teff.engine.os.Threads;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.IntConsumer;

/**
 * Threads that restore zones. A single thread restores a zone, or several threads if fewer zones than threads wait.
 * Thread-safe.
 */
final class RestorePool implements Restores, AutoCloseable {
    /** Guarded by itself, as the flag. */
    private final Deque<IntConsumer> waiting = new ArrayDeque<>();
    /** Tasks for threads without a recovery. Guarded by the other tasks. */
    private final Deque<Runnable> idle = new ArrayDeque<>();
    private final Thread[] threads;
    private boolean isClosed;

    RestorePool(int nid, int count, Threads platform) {
        threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = platform.create("teff-restore-" + nid + '-' + i, this::run);
            threads[i].start();
        }
    }

    @Override
    public void run(IntConsumer task) {
        synchronized (waiting) {
            waiting.addLast(task);
            waiting.notify();
        }
    }

    @Override
    public void runIdle(Runnable task) {
        synchronized (waiting) {
            idle.addLast(task);
            waiting.notify();
        }
    }

    private void run() {
        while (true) {
            final IntConsumer task;
            final int left;
            synchronized (waiting) {
                while (waiting.isEmpty() && idle.isEmpty() && !isClosed) {
                    await();
                }
                if (isClosed) {
                    return;
                }
                task = waiting.isEmpty() ? taskOf(idle.removeFirst()) : waiting.removeFirst();
                left = waiting.size();
            }
            task.accept(Math.max(1, threads.length - left));
        }
    }

    private static IntConsumer taskOf(Runnable task) {
        return _ -> task.run();
    }

    private void await() {
        try {
            waiting.wait();
        } catch (InterruptedException e) {
            Threads.dropInterrupt();                            // means nothing to this thread
        }
    }

    /** Ends the threads after their tasks; waiting tasks are not run. */
    @Override
    public void close() {
        synchronized (waiting) {
            isClosed = true;
            waiting.notifyAll();
        }
        for (Thread thread : threads) {
            Threads.join(thread);
        }
    }
}
