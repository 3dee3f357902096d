package io.teff.tools.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SamplesTest {
    /** Returns a typical sample of a cycle; tests change the figures that they test. */
    static Sample sample(long cycle, long getNs, long putNs, long idleNs) {
        return new Sample(cycle, cycle, 70, 1_000, 72_000, 8_000, 500, 2_000, 82_500, 90_000, 95_000, 300 << 20,
            10 << 20, 12, 11, getNs, putNs, idleNs);
    }

    @Test
    void list_fewCycles_hasEach() {
        Samples samples = new Samples();
        for (int i = 1; i <= Samples.COUNT_MAX; i++) {
            samples.add(sample(i, 1, 1, 1));
        }
        assertEquals(Samples.COUNT_MAX, samples.list().size());
        assertEquals(Samples.COUNT_MAX, samples.added());
    }

    @Test
    void list_manyCycles_staysSmallAndEvenlySpread() {
        Samples samples = new Samples();
        for (int i = 1; i <= 100_000; i++) {
            samples.add(sample(i, 1, 1, 1));
        }
        List<Sample> kept = samples.list();
        assertTrue(kept.size() > Samples.COUNT_MAX / 2 && kept.size() <= Samples.COUNT_MAX, "kept=" + kept.size());
        assertEquals(100_000, samples.added());
        long stride = kept.get(1).cycle() - kept.get(0).cycle();
        assertEquals(1, kept.getFirst().cycle());
        for (int i = 1; i < kept.size(); i++) {
            assertEquals(stride, kept.get(i).cycle() - kept.get(i - 1).cycle());
        }
        assertTrue(100_000 - kept.getLast().cycle() < stride);
    }
}
