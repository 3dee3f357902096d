package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

final class RateLoopTest {
    private static final int RATE = 1_000;
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final Histogram times = RateLoop.histogram();
    private final RateLoop loop = new RateLoop(RATE, times);
    private int runs;

    /** One operation takes 200 ms; the 200 operations due in that time are late, half of them by more than 100 ms. */
    @Test
    void run_oneLongPause_showsInAllDelayedOperations() {
        long[] paused = {0};
        loop.run(() -> {
            runs++;
            if (runs == 10) {
                long begun = System.nanoTime();
                while (System.nanoTime() - begun < PAUSE_NS) {
                    Thread.onSpinWait();
                }
                paused[0] = runs;
            }
            if (runs == 300) {
                loop.stop();
            }
        });
        assertEquals(300, times.getTotalCount());
        assertEquals(10, paused[0]);
        long late = times.getCountBetweenValues(PAUSE_NS / 2, Long.MAX_VALUE / 2);
        assertTrue(late >= 95, "late=" + late);
        assertTrue(times.getMaxValue() >= PAUSE_NS, "max=" + times.getMaxValue());
    }

    @Test
    void run_stoppedBefore_doesNothing() {
        loop.stop();
        loop.run(() -> runs++);
        assertEquals(0, runs);
    }
}
