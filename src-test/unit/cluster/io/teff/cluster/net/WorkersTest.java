package io.teff.cluster.net;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;

/**
 * Goal: no task waits while a handlers' thread sleeps. Method: tasks that are added at each moment of a thread's way
 * into its sleep, one by one: one that is forgotten is never run, for nothing else wakes the thread.
 */
final class WorkersTest {
    private static final int TASKS = Boolean.getBoolean("teff.long") ? 5_000_000 : 100_000;
    private static final int MOMENTS = 256;
    private static final long PATIENCE_S = 20;

    @Test
    void taskThatMeetsAThreadOnItsWayToSleep_isRun() throws InterruptedException {
        final Semaphore ran = new Semaphore(0);
        try (Workers workers = new Workers(NetworkConfig.builder(1).handlerThreads(1).spinNs(0).build(),
                SystemNanoClock.INSTANCE)) {
            workers.start();
            for (int task = 0; task < TASKS; task++) {
                final int number = task;
                workers.execute(ran::release);
                assertTrue(ran.tryAcquire(PATIENCE_S, TimeUnit.SECONDS), () -> "task " + number + " was forgotten");
                for (int moment = task % MOMENTS * 8; moment > 0; moment--) {
                    Thread.onSpinWait();
                }
            }
        }
    }
}
