package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a cluster keeps its promises with the real messages, whatever happens to links. Method: many runs of a {@link
 * ClusterSimulation} in which all messages travel by networks of the product, over simulated links.
 */
@Tag("heavy")
class MessagingSimulationTest {
    private static final int RUNS = Form.size("wireSeeds", 5, 50, 5_000);
    /** In fewer runs something that is looked for may be missing. */
    private static final int RUNS_THAT_TELL = 50;

    @Test
    void cluster_withRealNetworksUnderFaults_keepsItsPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        NetworkWire.Numbers numbers = NetworkWire.Numbers.NONE;
        for (int run = 0; run < RUNS; run++) {
            ClusterSimulation simulation = ClusterSimulation.withNetworks(seed + run, Mix.DRAWN, new Plant());
            simulation.run();
            sum = sum.plus(simulation.summary());
            numbers = numbers.plus(simulation.numbers());
        }
        System.out.println(RUNS + " runs with networks from seed " + seed + ": " + sum + ", " + numbers);
        assertTrue(RUNS < RUNS_THAT_TELL || sum.done() > RUNS * 50L && sum.recoveries() > RUNS
            && sum.expired() > RUNS && sum.repeated() > RUNS / 2, sum.toString());
        assertTrue(RUNS < RUNS_THAT_TELL || numbers.handled() > RUNS * 500L && numbers.broken() > RUNS * 5L
            && numbers.resumed() > RUNS * 5L && numbers.sessionsLost() > RUNS, numbers.toString());
    }

    /** Seeds with superpeers that are stopped, and cut off or restarted meanwhile: links come back late. */
    @ParameterizedTest
    @ValueSource(longs = {67, 111, 128})
    void cluster_withRealNetworksWhoseSuperpeerStalls_losesNoLife(long seed) {
        ClusterSimulation.withNetworks(seed, Mix.STALLS, new Plant()).run();
    }

    @Test
    void cluster_withRealNetworksAndTheSameSeed_doesTheSame() {
        long seed = Seed.first();
        ClusterSimulation first = ClusterSimulation.withNetworks(seed, Mix.DRAWN, new Plant());
        first.run();
        ClusterSimulation second = ClusterSimulation.withNetworks(seed, Mix.DRAWN, new Plant());
        second.run();
        assertEquals(first.trace(), second.trace(), "reproduce: -Dseed=" + seed);
        assertEquals(first.summary(), second.summary());
        assertEquals(first.numbers(), second.numbers());
    }
}
