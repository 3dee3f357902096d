package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a cluster of 200 peers in 20 racks keeps its promises. Method: as {@link ClusterSimulationTest}, with fewer
 * seeds. Peers share zones with four others, so the cluster has 1,600 zones.
 */
@Tag("heavy")
@FullTier("20 seconds a seed: the tables of 200 peers; ClusterSimulationTest has clusters of a few peers")
@Timeout(value = 30, unit = TimeUnit.MINUTES)
final class LargeClusterTest {
    private static final int RUNS = Form.size("largeSeeds", 1, 2, 20);

    @Test
    void clusterOf200Peers_underFaults_keepsItsPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < RUNS; run++) {
            ClusterSimulation simulation = new ClusterSimulation(seed + run, Mix.LARGE, new Plant(), SimParts.MODELS,
                "LargeClusterTest");
            simulation.run();
            sum = sum.plus(simulation.summary());
        }
        System.out.println(RUNS + " runs from seed " + seed + ": " + sum);
        assertTrue(sum.recoveries() > 10L * RUNS, sum.toString());
    }
}
