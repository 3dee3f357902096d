package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Goal: each tolerance has its documented value, and the latency of the machine does not fail the store. */
final class CriterionTest {
    private static final long MILLISECOND = 1_000_000;

    private static Drift.State judge(Criterion criterion, LongFunction<Sample> sample) {
        List<Sample> samples = LongStream.rangeClosed(1, 60).mapToObj(sample).toList();
        return criterion.judge(samples).state();
    }

    private static Sample idle(long cycle, long getNs, long idleNs) {
        return SamplesTest.sample(cycle, getNs, getNs, idleNs);
    }

    @Test
    void get_slowerOnAQuietMachine_fails() {
        assertEquals(Drift.State.FAILED, judge(Criterion.GET, i -> idle(i, 100_000 + i * MILLISECOND / 10, 80_000)));
    }

    @Test
    void get_slowerWithTheMachine_passes() {
        assertEquals(Drift.State.PASSED, judge(Criterion.GET,
            i -> idle(i, 100_000 + i * MILLISECOND, 80_000 + i * MILLISECOND)));
    }

    @Test
    void get_slowerByLessThanTheMachineLatency_passes() {
        assertEquals(Drift.State.PASSED, judge(Criterion.GET,
            i -> idle(i, 8 * MILLISECOND + i * MILLISECOND / 10, 5 * MILLISECOND)));
        assertEquals(Drift.State.FAILED, judge(Criterion.GET,
            i -> idle(i, 8 * MILLISECOND + i * MILLISECOND, 5 * MILLISECOND)));
    }

    @Test
    void get_fewSlowWindows_passes() {
        assertEquals(Drift.State.PASSED, judge(Criterion.GET,
            i -> idle(i, i > 50 && i % 3 == 0 ? 900 * MILLISECOND : 200_000, 80_000)));
    }

    @Test
    void each_level_passes_andEachThatTheSampleDoublesFails() {
        for (Criterion criterion : Criterion.values()) {
            assertEquals(Drift.State.PASSED, judge(criterion, i -> idle(i, 200_000, 80_000)), criterion::label);
            assertEquals(Drift.State.FAILED, judge(criterion, i -> grown(i, i)), criterion::label);
            assertTrue(criterion.text(criterion.judge(List.of())).startsWith("not judged"));
        }
    }

    private static Sample grown(long cycle, long by) {
        long bytes = by << 20;
        return new Sample(cycle, cycle, 70, 1_000, 1 << 20, 8_000, 500, 2_000, (2 << 20) + bytes, (90 << 20) + bytes,
            95_000, (300 << 20) + bytes, (10 << 20) + bytes, 12 + by, 11 + by, by * MILLISECOND, by * MILLISECOND,
            80_000);
    }

    @Test
    void unknown_figures_areNotJudged() {
        assertEquals(Drift.State.NOT_JUDGED, judge(Criterion.RESIDENT, i -> unknown(i)));
        assertEquals(Drift.State.NOT_JUDGED, judge(Criterion.DESCRIPTORS, i -> unknown(i)));
        assertEquals(Drift.State.PASSED, judge(Criterion.HEAP, i -> unknown(i)));
    }

    private static Sample unknown(long cycle) {
        return new Sample(cycle, cycle, 70, 1, 1, 1, 1, 1, 1, 1, 1, -1, 1, 1, -1, 1, 1, 1);
    }
}
