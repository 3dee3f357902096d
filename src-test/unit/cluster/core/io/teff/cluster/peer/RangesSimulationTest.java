package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: a sorted map in ranges keeps its promises, whatever happens to nodes, clocks and messages while ranges split.
 * Method: as in {@link WholeSimulationTest}, with the mix RANGES.
 */
@Tag("heavy")
class RangesSimulationTest {
    private static final int RANGE_RUNS = Form.size("rangeSeeds", 4, 200, 3_000);
    /** In fewer runs something that is looked for may be missing. */
    private static final int RUNS_THAT_TELL = 50;

    /** A sorted map in ranges that split: each entry has one history, also while its range moves. */
    @Test
    void ranges_keepTheirPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        long slices = 0;
        for (int run = 0; run < RANGE_RUNS; run++) {
            ClusterSimulation simulation = new ClusterSimulation(seed + run, Mix.RANGES, new Plant(),
                RealParts.ofCollections(), "RangesSimulationTest#ranges_keepTheirPromises");
            simulation.run();
            sum = sum.plus(simulation.summary());
            slices += simulation.slices();
        }
        System.out.println(RANGE_RUNS + " runs with ranges from seed " + seed + ": " + slices + " slices, " + sum);
        assertTrue(slices > RANGE_RUNS && (RANGE_RUNS < RUNS_THAT_TELL || sum.done() > RANGE_RUNS * 50L
            && sum.recoveries() > RANGE_RUNS), "slices " + slices + ", " + sum);
    }
}
