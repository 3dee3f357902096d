package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

/** Goal: properties that hold for every series. Method: jqwik, which prints its seed and shrinks. */
final class DriftPropertyTest {
    private static final Drift.Tolerance TOLERANCE = new Drift.Tolerance(10, 0, true);

    private static double[] noise(long seed, int count, double amplitude) {
        SplittableRandom random = new SplittableRandom(seed);
        return IntStream.range(0, count).mapToDouble(i -> amplitude * (2 * random.nextDouble() - 1)).toArray();
    }

    private static Drift.State judge(double[] samples) {
        return Drift.judge(samples, TOLERANCE).state();
    }

    @Property
    void noiseWithinTheTolerance_passes(@ForAll long seed, @ForAll @IntRange(min = 12, max = 300) int count,
                                        @ForAll @DoubleRange(min = 0, max = 4.99) double amplitude) {
        assertEquals(Drift.State.PASSED, judge(noise(seed, count, amplitude)));
    }

    @Property
    void leakOfManyTolerances_fails(@ForAll long seed, @ForAll @IntRange(min = 12, max = 300) int count,
                                    @ForAll @DoubleRange(min = 0, max = 4.99) double amplitude,
                                    @ForAll @DoubleRange(min = 180, max = 1e6) double growth) {
        double[] samples = noise(seed, count, amplitude);
        for (int i = 0; i < count; i++) {
            samples[i] += growth * i / (count - 1);
        }
        assertEquals(Drift.State.FAILED, judge(samples));
    }

    @Property
    void seriesThatNeverGrows_passes(@ForAll long seed, @ForAll @IntRange(min = 12, max = 300) int count,
                                     @ForAll @DoubleRange(min = 0, max = 1e9) double amplitude) {
        double[] samples = noise(seed, count, amplitude);
        Arrays.sort(samples);
        for (int i = 0; i < count / 2; i++) {
            double high = samples[count - 1 - i];
            samples[count - 1 - i] = samples[i];
            samples[i] = high;
        }
        assertEquals(Drift.State.PASSED, judge(samples));
    }

    @Property
    void level_doesNotMatterToAnAbsoluteTolerance(@ForAll long seed,
                                                  @ForAll @IntRange(min = 12, max = 100) int count,
                                                  @ForAll @LongRange(min = -1 << 20, max = 1 << 20) long level) {
        double[] samples = Arrays.stream(noise(seed, count, 40)).map(Math::rint).toArray();
        double[] moved = Arrays.stream(samples).map(sample -> sample + level).toArray();
        assertEquals(judge(samples), judge(moved));
    }

    /** Fewer than half of the samples of each third may have any value. */
    @Property
    void wildSamplesInALevelSeries_pass(@ForAll long seed, @ForAll @IntRange(min = 12, max = 300) int count,
                                        @ForAll @DoubleRange(min = -1e12, max = 1e12) double wild) {
        double[] samples = new double[count];
        int first = count - Drift.withoutWarmUp(samples).length;
        int third = (count - first) / 3;
        SplittableRandom random = new SplittableRandom(seed);
        for (int start = first; start + third <= count; start += third) {
            for (int i = 0; i < (third - 1) / 2; i++) {
                samples[start + random.nextInt(third)] = wild;
            }
        }
        assertEquals(Drift.State.PASSED, judge(samples));
    }

    @Property
    void oneStepOfAFewTolerances_passes(@ForAll @IntRange(min = 12, max = 300) int count,
                                        @ForAll @IntRange(min = 0, max = 300) int at,
                                        @ForAll @DoubleRange(min = 0, max = 39.9) double step) {
        double[] samples = IntStream.range(0, count).mapToDouble(i -> i < at ? 0 : step).toArray();
        assertEquals(Drift.State.PASSED, judge(samples));
    }
}
