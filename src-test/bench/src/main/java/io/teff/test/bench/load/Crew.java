package io.teff.test.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Threads that run the same work at the same time. */
public final class Crew {
    private Crew() {}

    /** The work of a thread. */
    @FunctionalInterface
    public interface Work {
        /**
         * Runs the work.
         *
         * @param thread 0, 1, 2 and so on
         * @throws Exception if it fails
         */
        void work(int thread) throws Exception;
    }

    /**
     * Runs the work in all threads, and waits for them.
     *
     * @param threads number of platform threads
     * @param work the work of each of them
     * @throws IllegalStateException if one of them has failed
     */
    public static void run(int threads, Work work) throws InterruptedException {
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> crew = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            int number = i;
            crew.add(Thread.ofPlatform().name("crew-" + i).start(() -> {
                try {
                    work.work(number);
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            }));
        }
        for (Thread thread : crew) {
            thread.join();
        }
        Throwable first = failure.get();
        if (first != null) {
            throw new IllegalStateException("one of " + threads + " threads has failed", first);
        }
    }
}
