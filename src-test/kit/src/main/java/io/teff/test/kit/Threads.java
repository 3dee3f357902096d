package io.teff.test.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Threads of a test: started together, joined together; the first failure is thrown. */
public final class Threads {
    private static final long WAIT_NS_MAX = 120_000_000_000L;
    private static final int YIELDS = 200;
    private static final long PARK_NS = 100_000;

    private Threads() {}

    /** The body of a thread. */
    @FunctionalInterface
    public interface Part {
        /** Runs in the thread of this number. */
        void run(int number) throws Exception;
    }

    /** Runs a part in each of some threads, and waits for all. */
    public static void runAll(int count, Part part) throws InterruptedException {
        CountDownLatch start = new CountDownLatch(1);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().name("test-" + i).start(() -> {
                try {
                    start.await();
                    part.run(number);
                } catch (Throwable t) {
                    failure.compareAndSet(null, t);
                }
            }));
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        rethrow(failure.get());
    }

    /** Throws an error that has the failure as its cause, unless the failure is null. */
    public static void rethrow(Throwable failure) {
        if (failure != null) {
            throw new AssertionError(failure.toString(), failure);
        }
    }

    /** One thread that runs until it is done. */
    public static final class Running {
        private final Thread thread;
        private final AtomicReference<Throwable> failure = new AtomicReference<>();

        private Running(String name, Part part) {
            thread = Thread.ofPlatform().daemon().name(name).start(() -> {
                try {
                    part.run(0);
                } catch (Throwable t) {
                    failure.set(t);
                }
            });
        }

        /** Returns the thread. */
        public Thread thread() {
            return thread;
        }

        /** Waits for the end of the thread, for two minutes at most, and rethrows its exception. */
        public void end() throws InterruptedException {
            thread.join(WAIT_NS_MAX / 1_000_000);
            if (thread.isAlive()) {
                AssertionError error = new AssertionError("thread " + thread.getName() + " does not end");
                error.setStackTrace(thread.getStackTrace());
                throw error;
            }
            rethrow(failure.get());
        }
    }

    /** Starts one thread. */
    public static Running start(String name, Part part) {
        return new Running(name, part);
    }

    /** Waits for a condition, first yielding, then parking for moments; gives up after two minutes. */
    public static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        for (int i = 0; !condition.getAsBoolean(); i++) {
            if (System.nanoTime() - start > WAIT_NS_MAX) {
                throw new AssertionError("still waiting: " + what);
            }
            if (i < YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(PARK_NS);
            }
        }
    }
}
