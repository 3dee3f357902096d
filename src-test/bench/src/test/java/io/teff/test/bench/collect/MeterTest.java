package io.teff.test.bench.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Work is repeated for the required time, and its rate follows the clock. */
final class MeterTest {
    private static final long WORK_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final AtomicLong times = new AtomicLong();

    /** A hundred operations in a tenth of a millisecond or more. */
    private long work() {
        times.incrementAndGet();
        long end = System.nanoTime() + WORK_NS;
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
        return 100;
    }

    @Test
    void rate_knownWork_isAtMostWhatItCanBe() {
        double rate = new Meter(5, 30).rate(this::work);
        assertTrue(rate > 0 && rate <= 1, () -> rate + " M/s, but 100 operations take 100 us");
    }

    @Test
    void rate_shortWork_takesWarmUpAndWindows() {
        long start = System.nanoTime();
        new Meter(10, 30).rate(this::work);
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(40), "10 ms and 30 ms");
    }

    @Test
    void rate_workLongerThanTheTime_isDoneOnceInEachWindow() {
        new Meter(0, 0).rate(this::work);
        assertEquals(4, times.get(), "a warm-up and three windows");
    }

    @Test
    void rateOnce_anyWork_isDoneOnce() {
        double rate = Meter.rateOnce(this::work);
        assertEquals(1, times.get());
        assertTrue(rate > 0 && rate <= 1, () -> rate + " M/s, but 100 operations take 100 us");
    }
}
