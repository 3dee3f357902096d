package io.teff.test.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Some threads that do the same at the same time. */
public final class Crew {
    private Crew() {}

    /** What a thread does. */
    @FunctionalInterface
    public interface Work {
        /**
         * Does it.
         *
         * @param thread 0, 1, 2 and so on
         * @throws Exception if it fails
         */
        void work(int thread) throws Exception;
    }

    /**
     * Waits until all are done.
     *
     * @param threads how many, platform threads
     * @param work what each of them does
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
