package io.teff.test.bench.load;

import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * A load of a fixed rate by the calling thread. Each latency counts from the time when the operation should have begun,
 * so a pause shows in all operations that it held up (no coordinated omission).
 */
public final class PacedLoad {
    private static final double[] PERCENTILES = {50, 99, 99.9, 99.99, 100};
    private static final double MICROSECOND_NS = TimeUnit.MICROSECONDS.toNanos(1);
    private static final int DIGITS = 3;

    /** The operation to run at the fixed rate. */
    @FunctionalInterface
    public interface Operation {
        /**
         * Runs once.
         *
         * @param number 0, 1, 2 and so on
         */
        void operate(long number);
    }

    private PacedLoad() {}

    /**
     * Runs operations, each when the one before it is done and its own time has come.
     *
     * @param rate operations per second
     * @param count number of operations
     * @param operation the operation
     * @return latencies in nanoseconds
     */
    public static Histogram run(long rate, long count, Operation operation) {
        Histogram histogram = new Histogram(TimeUnit.MINUTES.toNanos(1), DIGITS);
        run(histogram, rate, count, operation);
        return histogram;
    }

    /**
     * Runs operations as above, for a load in parts.
     *
     * @param histogram to which latencies in nanoseconds are added
     * @param rate operations per second
     * @param count number of operations
     * @param operation the operation
     */
    public static void run(Histogram histogram, long rate, long count, Operation operation) {
        double intervalNs = (double) TimeUnit.SECONDS.toNanos(1) / rate;
        long start = System.nanoTime();
        for (long number = 0; number < count; number++) {
            long due = start + (long) (number * intervalNs);
            while (System.nanoTime() < due) {
                Thread.onSpinWait();
            }
            operation.operate(number);
            long latencyNs = Math.max(System.nanoTime() - due, 0);
            histogram.recordValue(Math.min(latencyNs, histogram.getHighestTrackableValue()));
        }
    }

    /**
     * Adds percentiles to figures.
     *
     * @param figures gets p50, p99, p99.9, p99.99 and max, in microseconds
     * @param what first word of their names
     * @param histogram latencies in nanoseconds
     */
    public static void report(Map<String, Object> figures, String what, Histogram histogram) {
        for (double percentile : PERCENTILES) {
            String name = percentile == 100 ? "max" : "p" + (percentile == Math.rint(percentile)
                ? String.valueOf((int) percentile) : String.valueOf(percentile));
            figures.put(what + " " + name + " us", histogram.getValueAtPercentile(percentile) / MICROSECOND_NS);
        }
    }
}
