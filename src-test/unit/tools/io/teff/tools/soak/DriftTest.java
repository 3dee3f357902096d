package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Goal: growth is distinguished from noise. Method: series with a known verdict, constructed or from seeds. */
final class DriftTest {
    private static final double MEBIBYTE = 1 << 20;
    private static final Drift.Tolerance TOLERANCE = new Drift.Tolerance(16 * MEBIBYTE, 5, true);

    private static double[] series(int count, IntToDoubleFunction figure) {
        return IntStream.range(0, count).mapToDouble(figure).toArray();
    }

    private static Drift.State judge(double... samples) {
        return Drift.judge(samples, TOLERANCE).state();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 11})
    void judge_tooFewSamples_isNotJudged(int count) {
        assertEquals(Drift.State.NOT_JUDGED, judge(series(count, i -> i * 1e12)));
    }

    @Test
    void judge_unknownSample_isNotJudged() {
        double[] samples = series(40, i -> i * 1e12);
        samples[7] = Double.NaN;
        assertEquals(Drift.State.NOT_JUDGED, judge(samples));
    }

    /** Each third has at least three samples, and every sample after the warm-up is judged. */
    @Test
    void judge_anyCount_hasThirds() {
        for (int count = Drift.SAMPLES_MIN; count < 400; count++) {
            assertEquals(Drift.State.PASSED, judge(series(count, i -> 500 * MEBIBYTE)), "count=" + count);
            int last = count;
            assertEquals(Drift.State.FAILED, judge(series(count, i -> i * 1e3 * MEBIBYTE / last)), "count=" + count);
        }
    }

    @ParameterizedTest
    @CsvSource({"12, 8", "24, 4", "40, 2", "60, 1", "120, 0.5", "1000, 0.06"})
    void judge_steadyLeak_isFound(int cycles, double mebibytesPerCycle) {
        Drift.Verdict verdict = Drift.judge(series(cycles, i -> (300 + mebibytesPerCycle * i) * MEBIBYTE), TOLERANCE);
        assertEquals(Drift.State.FAILED, verdict.state(), verdict::toString);
        assertEquals(mebibytesPerCycle * MEBIBYTE, verdict.perCycle(), 1);
    }

    @Test
    void judge_leakInEveryFourthCycle_isFound() {
        assertEquals(Drift.State.FAILED, judge(series(40, i -> (300 + 8 * (i / 4)) * MEBIBYTE)));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 10, 12, 17, 19, 20, 21, 22, 25, 27, 30, 35, 39})
    void judge_oneStep_isNone_andOneOfManyTolerancesIs(int cycle) {
        double tolerance = TOLERANCE.of(300 * MEBIBYTE);
        assertEquals(Drift.State.PASSED,
            judge(series(40, i -> 300 * MEBIBYTE + (i < cycle ? 0 : 0.9 * Drift.STEP_FACTOR * tolerance))));
        if (cycle > 15 && cycle < 33) {                         // both medians are clear of the step
            assertEquals(Drift.State.FAILED,
                judge(series(40, i -> 300 * MEBIBYTE + (i < cycle ? 0 : 1.1 * Drift.STEP_FACTOR * tolerance))));
        }
    }

    /** Another program starts in the middle of the run, and all latencies are ten times as long. */
    @ParameterizedTest
    @ValueSource(ints = {12, 17, 20, 22, 25, 27, 30, 35})
    void judge_anyStepWhereStepsAreTheMachines_isNone(int cycle) {
        Drift.Tolerance tolerance = new Drift.Tolerance(1, 50, false);
        assertEquals(Drift.State.PASSED,
            Drift.judge(series(40, i -> i < cycle ? 30 : 300), tolerance).state());
        assertEquals(Drift.State.FAILED, Drift.judge(series(40, i -> 30 + 3 * i), tolerance).state());
    }

    /** Growth from zero through all samples: the slowest drift relative to its own level. */
    @Test
    void judge_growthFromNothing_exceedsEveryPercentage() {
        for (int percent = 0; percent <= 100; percent += 5) {
            Drift.Tolerance tolerance = new Drift.Tolerance(0, percent, false);
            assertEquals(Drift.State.FAILED, Drift.judge(series(60, i -> 7.0 * i), tolerance).state());
        }
    }

    @Test
    void judge_growthInTheWarmUpOnly_isNone() {
        assertEquals(Drift.State.PASSED, judge(series(40, i -> Math.min(i, 10) * 100 * MEBIBYTE)));
    }

    @Test
    void judge_growthThatApproachesALevel_isNone() {
        assertEquals(Drift.State.PASSED, judge(series(60, i -> (300 + 40 * (1 - Math.exp(-i / 10.0))) * MEBIBYTE)));
    }

    @Test
    void judge_shrinking_isNone() {
        assertEquals(Drift.State.PASSED, judge(series(40, i -> 1e12 - i * 1e10)));
    }

    @Test
    void judge_saw_isNone() {
        assertEquals(Drift.State.PASSED, judge(series(60, i -> (300 + 50 * (i % 7)) * MEBIBYTE)));
    }

    /** The share of the first median is the tolerance if it is larger than the absolute amount. */
    @Test
    void of_largeFigure_isThePercentage() {
        assertEquals(16 * MEBIBYTE, TOLERANCE.of(100 * MEBIBYTE));
        assertEquals(50 * MEBIBYTE, TOLERANCE.of(1_000 * MEBIBYTE));
        assertThrows(IllegalArgumentException.class, () -> new Drift.Tolerance(-1, 0, true));
        assertThrows(IllegalArgumentException.class, () -> new Drift.Tolerance(0, Double.NaN, true));
        assertThrows(IllegalArgumentException.class, () -> new Drift.Tolerance(0, 101, true));
    }

    /** Noise wider than the tolerance: the noise rule limits the share of false alarms. */
    @ParameterizedTest
    @CsvSource({"12, 20, 40", "40, 20, 10", "40, 100, 10", "120, 100, 4"})
    void judge_normalNoise_rarelyFails(int cycles, double deviation, int most) {
        int alarms = 0;
        for (int seed = 0; seed < 2_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            if (judge(series(cycles, i -> (300 + deviation * random.nextGaussian()) * MEBIBYTE))
                == Drift.State.FAILED) {
                alarms++;
            }
        }
        assertTrue(alarms <= most, "alarms=" + alarms + " of 2000");
    }

    /** A busy machine: small deviations in most samples, a large one in every tenth. */
    @Test
    void judge_leakBelowWildNoise_isFoundNevertheless() {
        int found = 0;
        for (int seed = 0; seed < 500; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            double[] samples = series(60, i -> (300 + 2 * i + 5 * random.nextGaussian()
                + (random.nextInt(10) == 0 ? 400 * random.nextDouble() : 0)) * MEBIBYTE);
            found += judge(samples) == Drift.State.FAILED ? 1 : 0;
        }
        assertTrue(found >= 490, "found=" + found + " of 500");
    }

    @Test
    void median_anyCount_isTheMiddle() {
        assertEquals(2, Drift.median(new double[] {3, 1, 2}));
        assertEquals(2.5, Drift.median(new double[] {4, 1, 3, 2}));
        assertEquals(7, Drift.median(new double[] {7}));
    }

    @Test
    void slope_lineWithOutliers_isTheLines() {
        double[] line = series(31, i -> 5 + 3.0 * i);
        line[4] = 1e9;
        line[20] = -1e9;
        assertEquals(3, Drift.slope(line), 1e-9);
    }
}
