package io.teff.test.kit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Threads of a test: started together, joined together; the first failure is thrown. */
public final class Threads {
    private static final long WAIT_S_MAX = 120;
    private static final int YIELDS = 200;
    private static final long PARK_NS_PER_ROUND = 500;
    private static final long PARK_NS_MAX = 1_000_000;

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
            thread.join(TimeUnit.SECONDS.toMillis(WAIT_S_MAX));
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

    /** Waits for a condition, for two minutes at most, like {@link #await(long, Supplier, BooleanSupplier)}. */
    public static void await(String what, BooleanSupplier condition) {
        await(WAIT_S_MAX, () -> what, condition);
    }

    /**
     * Waits for a condition, first yielding, then parking for moments of up to a millisecond. The wait ends with an
     * error when the time is over, or when the thread is interrupted, whose flag stays set: a test that was given up
     * must not go on beside others. A condition that holds already is no wait, whatever the flag.
     *
     * @param secondsMax the longest wait in seconds
     * @param what is waited for, asked for when the wait has failed
     * @param condition called again and again by this thread
     */
    public static void await(long secondsMax, Supplier<String> what, BooleanSupplier condition) {
        long start = System.nanoTime();
        for (long round = 0; !condition.getAsBoolean(); round++) {
            if (Thread.currentThread().isInterrupted()) {
                throw new AssertionError("interrupted, waiting: " + what.get());
            }
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(secondsMax)) {
                throw new AssertionError("still waiting after " + secondsMax + " s: " + what.get());
            }
            if (round < YIELDS) {
                Thread.yield();
            } else {
                LockSupport.parkNanos(Math.min(round * PARK_NS_PER_ROUND, PARK_NS_MAX));
            }
        }
    }
}
