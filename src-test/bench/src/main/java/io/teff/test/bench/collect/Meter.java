package io.teff.test.bench.collect;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Times work that can be done again and again: warms it up, then measures it in windows, of which the middle one
 * counts. JMH does the same for the stores; here each structure must also be told what was done to it, so that its
 * content can be checked afterwards.
 */
final class Meter {
    private static final int WINDOWS = 3;

    private final long warmUpNs;
    private final long windowNs;

    Meter(int warmUpMs, int measureMs) {
        warmUpNs = TimeUnit.MILLISECONDS.toNanos(warmUpMs);
        windowNs = TimeUnit.MILLISECONDS.toNanos(measureMs) / WINDOWS;
    }

    /** A piece of work that takes long enough for a look at the clock to be nothing. */
    @FunctionalInterface
    interface Work {
        /** Does it, and says how many operations it was. */
        long run();
    }

    /** Does work until it is compiled. */
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

    /** The same of work that can be done once only. */
    static double rateOnce(Work work) {
        return window(work, 0);
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
