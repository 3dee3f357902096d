package io.teff.cluster.peer;

import org.junit.jupiter.api.Test;

class TmpUnloadMixTest {
    @Test
    void unloads() {
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        int failed = 0;
        for (int seed = 1; seed <= Integer.getInteger("tmpSeeds", 60); seed++) {
            ClusterSimulation simulation = new ClusterSimulation(seed, Mix.UNLOADS, new Plant());
            try {
                simulation.run();
                sum = sum.plus(simulation.summary());
            } catch (AssertionError e) {
                failed++;
                System.out.println("FAILED " + seed + " " + e.getMessage().lines().limit(3).toList());
            }
        }
        System.out.println("UNLOADS: " + sum);
        if (failed > 0) {
            throw new AssertionError(failed + " failed");
        }
    }
}
