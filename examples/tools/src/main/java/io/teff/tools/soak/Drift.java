package io.teff.tools.soak;

import java.util.Arrays;

/**
 * Distinguishes growth from noise in one figure that was sampled at the same point of every cycle.
 * <pre>
 *  cycles   1 ......... n/4 | ................................................ n
 *           warm-up,        |  first third   |  middle third  |   last third
 *           ignored         |     median     |     median     |     median
 * </pre>
 * The change is the median of the last third minus that of the first. Single outliers do not change a median, so a
 * garbage collection or a busy machine in a few cycles has no effect. The figure <b>drifts</b> if
 * <ol>
 * <li>the change is more than the tolerance, the larger of an absolute amount and a share of the first median;
 *     and
 * <li>the change is more than chance explains: {@value #NOISE_FACTOR} times the standard error of a difference of two
 *     such medians, where the spread is the median distance of the samples to the Theil-Sen line (the median slope of
 *     all pairs); and
 * <li>the growth is steady: each half, from the first to the middle median and from the middle to the last one, has at
 *     least {@value #STEADY_PERCENT} % of the change. A figure that steps up once and stays (a compiler's buffer, a
 *     new block, another program on the machine) is not a leak. A step of more than {@value #STEP_FACTOR} tolerances
 *     fails nevertheless, unless the tolerance attributes steps to the machine.
 * </ol>
 * Only growth is judged. With fewer than {@value #SAMPLES_MIN} samples the verdict is {@link State#NOT_JUDGED}.
 *
 * <p>Pure functions. P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, 1968.
 */
final class Drift {
    /** Share of samples at the beginning that are warm-up, in percent. */
    static final int WARM_UP_PERCENT = 25;
    /** Minimum number of samples for a verdict, warm-up included. */
    static final int SAMPLES_MIN = 12;
    /** Number of standard errors that chance does not reach. */
    static final int NOISE_FACTOR = 4;
    /** Minimum share of the change in each half, in percent. */
    static final int STEADY_PERCENT = 25;
    /** Number of tolerances beyond which a step is drift. */
    static final int STEP_FACTOR = 4;

    /** Standard deviation divided by the median absolute deviation, for a normal distribution. */
    private static final double DEVIATIONS = 1.4826;
    /** Standard error of a median divided by that of a mean, for a normal distribution. */
    private static final double MEDIAN_ERROR = 1.2533;

    private Drift() {}

    /** The verdict on a figure. */
    enum State {
        /** The figure does not drift. */
        PASSED,
        /** The figure drifts. */
        FAILED,
        /** There are too few samples, or the system does not report the figure. */
        NOT_JUDGED
    }

    /**
     * The tolerated growth: the larger of two amounts.
     *
     * @param absolute amount in the unit of the figure, at least 0
     * @param percent share of the first third's median, 0 to 100
     * @param steps whether one large step is drift
     */
    record Tolerance(double absolute, double percent, boolean steps) {
        Tolerance {
            if (!(absolute >= 0 && percent >= 0 && percent <= 100)) {
                throw new IllegalArgumentException("absolute=" + absolute + " percent=" + percent);
            }
        }

        double of(double first) {
            return Math.max(absolute, percent / 100 * Math.abs(first));
        }
    }

    /**
     * A verdict and its figures.
     *
     * @param state the verdict
     * @param first median of the first third
     * @param last median of the last third
     * @param allowed growth that is tolerated
     * @param noise growth that chance explains
     * @param perCycle the Theil-Sen slope
     */
    record Verdict(State state, double first, double last, double allowed, double noise, double perCycle) {
        double change() {
            return last - first;
        }
    }

    /** Judges samples in the order of their cycles; a NaN means that the system does not report the figure. */
    static Verdict judge(double[] samples, Tolerance tolerance) {
        if (samples.length < SAMPLES_MIN || Arrays.stream(samples).anyMatch(Double::isNaN)) {
            return new Verdict(State.NOT_JUDGED, Double.NaN, Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        }
        double[] judged = withoutWarmUp(samples);
        int third = judged.length / 3;
        double first = median(Arrays.copyOf(judged, third));
        double[] middle = Arrays.copyOfRange(judged, third, judged.length - third);
        double last = median(Arrays.copyOfRange(judged, judged.length - third, judged.length));
        double slope = slope(judged);
        double change = last - first;
        double allowed = tolerance.of(first);
        double noise = NOISE_FACTOR * MEDIAN_ERROR * spread(judged, slope) * Math.sqrt(2.0 / third);
        boolean steady = isSteady(first, middle, last);
        boolean leap = tolerance.steps() && change > STEP_FACTOR * allowed;
        boolean drifts = change > allowed && change > noise && (steady || leap);
        return new Verdict(drifts ? State.FAILED : State.PASSED, first, last, allowed, noise, slope);
    }

    /** Of two middle values each half uses the one that gives it less growth: a step may lie between them. */
    private static boolean isSteady(double first, double[] middle, double last) {
        double[] sorted = middle.clone();
        Arrays.sort(sorted);
        double least = (last - first) * STEADY_PERCENT / 100;
        return sorted[(sorted.length - 1) / 2] - first >= least && last - sorted[sorted.length / 2] >= least;
    }

    /** Returns the samples after the warm-up. */
    static double[] withoutWarmUp(double[] samples) {
        return Arrays.copyOfRange(samples, samples.length * WARM_UP_PERCENT / 100, samples.length);
    }

    /** Returns the median; for an even number of values the mean of the two in the middle. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** Returns the Theil-Sen slope, per sample: the median of the slopes of all pairs. */
    static double slope(double[] values) {
        double[] slopes = new double[values.length * (values.length - 1) / 2];
        int count = 0;
        for (int i = 0; i < values.length; i++) {
            for (int k = i + 1; k < values.length; k++) {
                slopes[count++] = (values[k] - values[i]) / (k - i);
            }
        }
        return median(slopes);
    }

    /** Returns an estimate of the standard deviation around the line, for normal noise. */
    private static double spread(double[] values, double slope) {
        double[] distances = new double[values.length];
        for (int i = 0; i < values.length; i++) {
            distances[i] = values[i] - slope * i;
        }
        double centre = median(distances);
        for (int i = 0; i < values.length; i++) {
            distances[i] = Math.abs(distances[i] - centre);
        }
        return DEVIATIONS * median(distances);
    }
}
