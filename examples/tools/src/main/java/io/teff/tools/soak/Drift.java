package io.teff.tools.soak;

import java.util.Arrays;

/**
 * Tells growth from noise: judges one figure that was taken at the same point of every cycle.
 * <pre>
 *  cycles   1 ......... n/4 | ................................................ n
 *           warm-up,        |  first third   |  middle third  |   last third
 *           not looked at   |     median     |     median     |     median
 * </pre>
 * The change is the median of the last third minus that of the first. A median does not mind single samples, however
 * wild, so a collection or a busy machine in a few cycles changes nothing. The figure <b>drifts</b> if
 * <ol>
 * <li>the change is more than the tolerance, which is an absolute amount or a share of the first median, whichever is
 *     more; and
 * <li>the change is more than chance explains: {@value #NOISE_FACTOR} times the standard error of a difference of two
 *     such medians, where the spread is taken from the samples' distances to the Theil-Sen line (the median slope of
 *     all pairs), by their median too; and
 * <li>the growth is steady: each half of the way, from the first to the middle and from the middle to the last median,
 *     has at least {@value #STEADY_PERCENT} % of it. A figure that steps up once and stays (a compiler's buffer, a
 *     new block, another program on the machine) is no leak. A change of more than {@value #STEP_FACTOR} tolerances
 *     fails even so, unless the tolerance leaves steps to the machine.
 * </ol>
 * Only growth is judged. With fewer than {@value #SAMPLES_MIN} samples nothing is, and the verdict says that.
 *
 * <p>Pure functions. P. K. Sen, Estimates of the regression coefficient based on Kendall's tau, 1968.
 */
final class Drift {
    /** Of 100 samples, so many at the beginning are warm-up. */
    static final int WARM_UP_PERCENT = 25;
    /** Samples, warm-up included, that a verdict needs. */
    static final int SAMPLES_MIN = 12;
    /** Standard errors that chance does not reach. */
    static final int NOISE_FACTOR = 4;
    /** Share of the change, in percent, that each half of the way must have. */
    static final int STEADY_PERCENT = 25;
    /** Tolerances beyond which a step is drift. */
    static final int STEP_FACTOR = 4;

    /** A standard deviation is so many median absolute deviations, and a median's error so many of a mean's. */
    private static final double DEVIATIONS = 1.4826;
    private static final double MEDIAN_ERROR = 1.2533;

    private Drift() {}

    /** How a figure was judged. */
    enum State {
        /** It stayed within its tolerance. */
        PASSED,
        /** It grew. */
        FAILED,
        /** There were too few samples, or the machine does not tell the figure. */
        NOT_JUDGED
    }

    /**
     * How much growth is no drift: whichever is more.
     *
     * @param absolute in the figure's unit
     * @param percent of the first third's median; beyond 100 not even a figure that grows from nothing could exceed it
     * @param steps whether one large step counts
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
     * What was found.
     *
     * @param state the verdict
     * @param first median of the first third
     * @param last median of the last third
     * @param allowed most growth that is no drift
     * @param noise growth that chance explains
     * @param perCycle the Theil-Sen slope
     */
    record Verdict(State state, double first, double last, double allowed, double noise, double perCycle) {
        double change() {
            return last - first;
        }
    }

    /** Judges samples in the order of their cycles; NaN anywhere means that the machine does not tell. */
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

    /** Of an even number in the middle both are taken, each where it speaks against: a step may be between them. */
    private static boolean isSteady(double first, double[] middle, double last) {
        double[] sorted = middle.clone();
        Arrays.sort(sorted);
        double least = (last - first) * STEADY_PERCENT / 100;
        return sorted[(sorted.length - 1) / 2] - first >= least && last - sorted[sorted.length / 2] >= least;
    }

    /** The samples after the warm-up. */
    static double[] withoutWarmUp(double[] samples) {
        return Arrays.copyOfRange(samples, samples.length * WARM_UP_PERCENT / 100, samples.length);
    }

    /** The middle of some values; of an even number, the mean of the two in the middle. */
    static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int half = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
    }

    /** The median of the slopes of all pairs, per sample. */
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

    /** What would be the standard deviation around the line if the noise were normal. */
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
