package io.teff.engine.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.compute.JobPriority;
import io.teff.engine.os.Threads;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;

/** Threads that add tasks and threads of a pool that steal them: each task runs once. */
final class JobPoolTest {
    private static final int TASKS = 2_000;
    private static final int ADDERS = 3;

    @Test
    void add_byThreads_runsEachTaskOnce() throws InterruptedException {
        AtomicIntegerArray runs = new AtomicIntegerArray(TASKS * ADDERS);
        CountDownLatch done = new CountDownLatch(TASKS * ADDERS);
        try (JobPool pool = new JobPool("test", 3, Threads.SYSTEM)) {
            io.teff.test.kit.Threads.runAll(ADDERS, adder -> {
                for (int i = 0; i < TASKS; i++) {
                    int task = adder * TASKS + i;
                    assertTrue(pool.add(JobPriority.values()[i % 3], () -> {
                        runs.incrementAndGet(task);
                        done.countDown();
                    }));
                }
            });
            assertTrue(done.await(60, TimeUnit.SECONDS));
            assertEquals(0, pool.waiting());
        }
        for (int i = 0; i < runs.length(); i++) {
            assertEquals(1, runs.get(i), "task " + i);
        }
    }

    @Test
    void add_toAFullOrClosedPool_isRefused() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        JobPool pool = new JobPool("test", 1, Threads.SYSTEM, 1);
        try {
            assertTrue(pool.add(JobPriority.NORMAL, () -> {
                begun.countDown();
                await(end);
            }));
            begun.await();
            assertTrue(pool.add(JobPriority.NORMAL, () -> { }));
            assertFalse(pool.add(JobPriority.HIGH, () -> { }));
        } finally {
            pool.close();
            end.countDown();
        }
        assertFalse(pool.add(JobPriority.NORMAL, () -> { }));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
