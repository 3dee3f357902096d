package io.teff.cluster.peer;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Test;

/** Work in progress. */
class WholeSimulationTest {
    private static final int RUNS = Form.size("wholeSeeds", 50, 5_000);

    @Test
    void cluster_ofRealParts_keepsItsPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        RealDisk.Counts counts = new RealDisk.Counts();
        for (int run = 0; run < RUNS; run++) {
            ClusterSimulation one = new ClusterSimulation(seed + run, Mix.WHOLE, new Plant(),
                new RealParts(counts), "WholeSimulationTest");
            one.run();
            sum = sum.plus(one.summary());
        }
        System.out.println(RUNS + " runs from seed " + seed + ": " + sum + " " + counts.openings + " " + counts.reopenings
            + " " + counts.refusedOpenings + " cuts " + counts.powerCuts + " cleanings " + counts.cleanings + " failures "
            + counts.failures);
    }
}
