package io.teff.test.bench.collect;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Times repeatable work: warms it up, then measures it in windows, and returns the median window. JMH does the same for
 * the stores; here each structure must also record the changes made to it, so that its content can be checked
 * afterwards.
 */
final class Meter {
    private static final int WINDOWS = 3;

    private final long warmUpNs;
    private final long windowNs;

    Meter(int warmUpMs, int measureMs) {
        warmUpNs = TimeUnit.MILLISECONDS.toNanos(warmUpMs);
        windowNs = TimeUnit.MILLISECONDS.toNanos(measureMs) / WINDOWS;
    }

    /** A unit of work long enough that a reading of the clock is negligible. */
    @FunctionalInterface
    interface Work {
        /** Runs once, and returns the number of operations. */
        long run();
    }

    /** Repeats the work until it is compiled. */
    void warmUp(Work work) {
        window(work, warmUpNs);
    }

    /** Millions of operations per second. */
    double rate(Work work) {
        warmUp(work);
        double[] rates = new double[WINDOWS];
        for (int i = 0; i < WINDOWS; i++) {
            rates[i] = window(work, windowNs);
        }
        Arrays.sort(rates);
        return rates[WINDOWS / 2];
    }

    /** Millions of operations per second, for work that can be done only once. */
    static double rateOnce(Work work) {
        return window(work, 0);
    }

    /** Millions of operations per second of the process's processor time, as {@link #rateOnce} by the clock. */
    static double rateOnceByProcess(Work work) {
        long start = processNs();
        long count = work.run();
        return count * 1000.0 / (processNs() - start);
    }

    private static long processNs() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    private static double window(Work work, long ns) {
        long start = System.nanoTime();
        long count = 0;
        long now;
        do {
            count += work.run();
            now = System.nanoTime();
        } while (now - start < ns);
        return count * 1000.0 / (now - start);
    }
}
