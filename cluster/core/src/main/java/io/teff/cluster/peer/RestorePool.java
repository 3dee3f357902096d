package io.teff.cluster.peer;

import io.teff.engine.os.Threads;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.IntConsumer;

/**
 * Threads that restore zones. A zone is restored by one of them, or by more if fewer zones than threads wait.
 * Thread-safe.
 */
final class RestorePool implements AutoCloseable {
    private final BlockingQueue<IntConsumer> waiting = new LinkedBlockingQueue<>();
    private final Thread[] threads;
    private volatile boolean isClosed;

    RestorePool(int nid, int count, Threads platform) {
        threads = new Thread[count];
        for (int i = 0; i < count; i++) {
            threads[i] = platform.create("teff-restore-" + nid + '-' + i, this::run);
            threads[i].start();
        }
    }

    /** Runs a task, which is passed the number of threads that it may use. */
    void run(IntConsumer task) {
        waiting.add(task);
    }

    private void run() {
        try {
            while (!isClosed) {
                final IntConsumer task = waiting.take();
                task.accept(Math.max(1, threads.length - waiting.size()));
            }
        } catch (InterruptedException e) {
            // closed
        }
    }

    /** Ends the threads after their tasks; waiting tasks are not run. */
    @Override
    public void close() {
        isClosed = true;
        for (Thread thread : threads) {
            thread.interrupt();
            Threads.join(thread);
        }
    }
}
