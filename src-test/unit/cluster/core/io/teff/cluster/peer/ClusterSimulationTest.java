package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever happens to nodes, clocks and messages, a cluster keeps its promises. Method: many runs of a
 * {@link ClusterSimulation}, each with other sizes, speeds and faults.
 */
class ClusterSimulationTest {
    private static final int RUNS = Form.size("seeds", 1_000, 5_000);

    @Test
    void cluster_underFaults_keepsItsPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < RUNS; run++) {
            ClusterSimulation simulation = new ClusterSimulation(seed + run, new Plant());
            simulation.run();
            sum = sum.plus(simulation.summary());
        }
        System.out.println(RUNS + " runs from seed " + seed + ": " + sum);
        assertTrue(sum.done() > RUNS * 100L && sum.recoveries() > RUNS && sum.expired() > RUNS
            && sum.repeated() > RUNS && sum.sessionsLost() > RUNS / 10 && sum.unknown() > RUNS / 50
            && sum.lost() * 4 < sum.zones(), sum.toString());
    }

    @Test
    void cluster_withTheSameSeed_doesTheSame() {
        long seed = Seed.first();
        ClusterSimulation first = new ClusterSimulation(seed, new Plant());
        first.run();
        ClusterSimulation second = new ClusterSimulation(seed, new Plant());
        second.run();
        assertEquals(first.trace(), second.trace(), "reproduce: -Dseed=" + seed);
        assertEquals(first.summary(), second.summary());
    }
}
