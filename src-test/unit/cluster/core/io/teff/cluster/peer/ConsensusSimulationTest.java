package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a cluster keeps its promises with the real consensus of its superpeers. Method: a {@link ClusterSimulation} in
 * which superpeers agree by messages, on disks that lose unsynced bytes.
 */
@Tag("heavy")
class ConsensusSimulationTest {
    private static final int RUNS = Form.size("seeds", 10, 200, 5_000);
    private static final int RUNS_OF_A_MIX = Form.size("mixSeeds", 2, 30, 500);

    private static ClusterSimulation.Summary run(long seed, Mix mix) {
        ClusterSimulation simulation = ClusterSimulation.withConsensus(seed, mix);
        simulation.run();
        return simulation.summary();
    }

    @Test
    void cluster_underFaults_keepsItsPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < RUNS; run++) {
            sum = sum.plus(run(seed + run, Mix.DRAWN));
        }
        System.out.println(RUNS + " runs from seed " + seed + ": " + sum);
        assertTrue(RUNS < 50 || sum.done() > RUNS * 100L && sum.recoveries() > RUNS && sum.expired() > RUNS,
            sum.toString());
    }

    @ParameterizedTest
    @EnumSource(names = {"STORMS", "POWER_CUTS", "COLD_STARTS", "STALLS", "SUPERPEERS"})
    void cluster_underFaultsOfAKind_keepsItsPromises(Mix mix) {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < RUNS_OF_A_MIX; run++) {
            sum = sum.plus(run(seed + run, mix));
        }
        System.out.println(RUNS_OF_A_MIX + " runs of " + mix + " from seed " + seed + ": " + sum);
        assertTrue(sum.done() > RUNS_OF_A_MIX, sum.toString());
    }
}
