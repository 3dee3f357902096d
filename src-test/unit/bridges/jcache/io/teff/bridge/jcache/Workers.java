package io.teff.bridge.jcache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads of a test: started together, waited for together, the first failure is thrown. */
final class Workers {
    private static final long WAIT_NS_MAX = 120_000_000_000L;
    private static final long PARK_NS = 100_000;

    private Workers() {}

    /** The work of a thread. */
    interface Part {
        void run(int number) throws Exception;
    }

    static void runAll(int count, Part part) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newFixedThreadPool(count)) {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                all.add(threads.submit(() -> {
                    start.await();
                    part.run(number);
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> each : all) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().toString(), e.getCause());
        }
    }

    /** Waits for a condition; ends with an error after two minutes, or when the thread is interrupted. */
    static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (Thread.currentThread().isInterrupted() || System.nanoTime() - start > WAIT_NS_MAX) {
                throw new AssertionError("still waiting: " + what);
            }
            LockSupport.parkNanos(PARK_NS);
        }
    }
}
