package io.teff.tools.soak;

import io.teff.tools.console.Figures;
import java.util.List;
import java.util.function.DoubleFunction;
import java.util.function.ToDoubleFunction;

/**
 * A figure that must not grow, and its tolerance.
 *
 * <p>Latency is judged relative to the machine: a sample is the 99.9th percentile of the store minus that of the idle
 * loop in the same cycle, and growth of less than twice the latter is tolerated. On a machine whose scheduler alone
 * delays by 5 ms, a loss of 1 ms is therefore not detected; on a quiet machine it is. A single step is attributed to
 * the machine too, for example to another program that started: a store that becomes slower does so steadily.
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

    /** Returns the name of the figure in reports. */
    String label() {
        return label;
    }

    /** Returns a verdict on this figure as text. */
    String text(Drift.Verdict verdict) {
        if (verdict.state() == Drift.State.NOT_JUDGED) {
            return "not judged: too few cycles, or unknown on this system";
        }
        return text(verdict.first()) + " to " + text(verdict.last()) + ", " + text(verdict.perCycle())
            + " per cycle; " + text(verdict.allowed()) + " of growth is tolerated";
    }

    private String text(double value) {
        return value < 0 ? "-" + text.apply(-value) : text.apply(value);
    }

    /** Judges the samples of a run, in the order of their cycles. */
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
