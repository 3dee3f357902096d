package io.teff.tools.soak;

import io.teff.tools.console.Figures;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * A figure that must not grow, and how much growth is none: the tolerances of the whole test stand here.
 *
 * <p>Latency is judged beyond the machine's own: a sample is the store's 99.9th percentile minus that of the loop that
 * did nothing in the same window, and no growth counts that is less than twice the latter. So on a machine whose
 * scheduler alone takes 5 ms, a store that loses 1 ms cannot be told from one that does not; on a quiet one it can. A
 * step counts as the machine's too: another program began. A store that becomes slower does so all the time.
 */
enum Criterion {
    RESIDENT("resident memory", sample -> known(sample.residentBytes()), 16 * Criterion.MEBIBYTE, 5, Figures::bytes),
    HEAP("Java heap", sample -> sample.heapBytes(), 6 * Criterion.MEBIBYTE, 10, Figures::bytes),
    COMMITTED("committed memory", sample -> sample.committedBytes(), 16 * Criterion.MEBIBYTE, 10, Figures::bytes),
    OVERHEAD("used beyond payload", sample -> sample.overheadBytes(), 6 * Criterion.MEBIBYTE, 25, Figures::bytes),
    THREADS("threads", sample -> sample.threads(), 2, 0, Figures::one),
    DESCRIPTORS("file descriptors", sample -> known(sample.descriptors()), 2, 0, Figures::one),
    GET("p99.9 of gets", sample -> beyondIdle(sample.getP999Ns(), sample), Criterion.MILLISECOND, 50,
        Figures::duration),
    PUT("p99.9 of puts", sample -> beyondIdle(sample.putP999Ns(), sample), 4 * Criterion.MILLISECOND, 50,
        Figures::duration);

    private static final double MEBIBYTE = 1 << 20;
    private static final double MILLISECOND = 1e6;
    private static final double IDLE_FACTOR = 2;

    private final String label;
    private final ToDoubleFunction<Sample> figure;
    private final double absolute;
    private final double percent;
    private final DoubleFunction<String> text;

    Criterion(String label, ToDoubleFunction<Sample> figure, double absolute, double percent,
              DoubleFunction<String> text) {
        this.label = label;
        this.figure = figure;
        this.absolute = absolute;
        this.percent = percent;
        this.text = text;
    }

    /** What the criterion is called in reports. */
    String label() {
        return label;
    }

    /** A verdict on this figure for people. */
    String text(Drift.Verdict verdict) {
        if (verdict.state() == Drift.State.NOT_JUDGED) {
            return "not judged: too few cycles, or the machine does not tell it";
        }
        return text(verdict.first()) + " to " + text(verdict.last()) + ", " + text(verdict.perCycle())
            + " per cycle; " + text(verdict.allowed()) + " more would be allowed";
    }

    private String text(double value) {
        return value < 0 ? "-" + text.apply(-value) : text.apply(value);
    }

    /** Judges the samples of a run, in their order. */
    Drift.Verdict judge(List<Sample> samples) {
        double[] values = samples.stream().mapToDouble(figure).toArray();
        return Drift.judge(values, new Drift.Tolerance(absolute(samples), percent, !isLatency()));
    }

    private boolean isLatency() {
        return this == GET || this == PUT;
    }

    private double absolute(List<Sample> samples) {
        if (!isLatency() || samples.isEmpty()) {
            return absolute;
        }
        double[] idles = samples.stream().mapToDouble(Sample::idleP999Ns).toArray();
        return Math.max(absolute, IDLE_FACTOR * Drift.median(Drift.withoutWarmUp(idles)));
    }

    private static double known(long value) {
        return value < 0 ? Double.NaN : value;
    }

    private static double beyondIdle(long ns, Sample sample) {
        return Math.max(ns - sample.idleP999Ns(), 0);
    }
}
