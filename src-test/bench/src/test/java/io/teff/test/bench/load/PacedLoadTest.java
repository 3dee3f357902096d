package io.teff.test.bench.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** A load has its number of operations and its rate, and shows a stall in all delayed operations. */
final class PacedLoadTest {
    @Test
    void run_anyLoad_operatesInOrderAndCountsEach() {
        List<Long> numbers = new ArrayList<>();
        Histogram histogram = PacedLoad.run(1_000_000, 1000, numbers::add);
        assertEquals(LongStream.range(0, 1000).boxed().toList(), numbers);
        assertEquals(1000, histogram.getTotalCount());
    }

    @Test
    void run_idleLoad_takesTheTimeOfItsRate() {
        long start = System.nanoTime();
        PacedLoad.run(10_000, 501, number -> { });
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(50), "500 intervals of 100 us");
    }

    /** 20 ms at 10,000 per second delay 200 operations; those due in the first 15 ms by 5 ms or more. */
    @Test
    void run_oneStall_showsInEveryOperationThatItHeldUp() {
        Histogram histogram = PacedLoad.run(10_000, 500, number -> {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(number == 100 ? 20 : 0);
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        });
        long late = histogram.getCountBetweenValues(TimeUnit.MILLISECONDS.toNanos(5), histogram.getMaxValue());
        assertTrue(late >= 100, () -> late + " of 500 operations are late");
        assertTrue(histogram.getMaxValue() >= TimeUnit.MILLISECONDS.toNanos(20), () -> "" + histogram.getMaxValue());
    }

    @Test
    void run_loadThatAllocatesNothing_addsNothing() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        PacedLoad.Operation nothing = number -> { };
        PacedLoad.run(histogram, 1_000_000, 1000, nothing);
        long before = threads.getCurrentThreadAllocatedBytes();
        PacedLoad.run(histogram, 1_000_000, 20_000, nothing);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(allocated < 20_000, () -> allocated + " bytes in 20,000 operations");
    }

    @Test
    void report_knownLatencies_areMicrosecondsByPercentile() {
        Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(1), 5);
        for (int number = 1; number <= 10_000; number++) {
            histogram.recordValue(number * 10L);
        }
        Map<String, Object> figures = new LinkedHashMap<>();
        PacedLoad.report(figures, "load", histogram);
        assertEquals(List.of("load p50 us", "load p99 us", "load p99.9 us", "load p99.99 us", "load max us"),
            List.copyOf(figures.keySet()));
        assertEquals(List.of(50.0, 99.0, 99.9, 99.99, 100.0), List.copyOf(figures.values()));
    }
}
