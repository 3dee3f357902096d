package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: whatever happens to nodes, clocks and messages, a cluster keeps its promises. Method: many runs of a
 * {@link ClusterSimulation}, each with other sizes, speeds and faults.
 */
@Tag("heavy")
class ClusterSimulationTest {
    private static final int RUNS = Form.size("seeds", 30, 500, 5_000);
    private static final int RUNS_OF_A_MIX = Form.size("mixSeeds", 4, 50, 1_000);
    /** In fewer runs something that is looked for may be missing. */
    private static final int RUNS_THAT_TELL = 50;

    @Test
    void cluster_underFaults_keepsItsPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < RUNS; run++) {
            sum = sum.plus(run(seed + run, Mix.DRAWN));
        }
        System.out.println(RUNS + " runs from seed " + seed + ": " + sum);
        assertTrue(RUNS < RUNS_THAT_TELL || sum.done() > RUNS * 100L && sum.recoveries() > RUNS
            && sum.moves() > RUNS / 2 && sum.expired() > RUNS
            && sum.repeated() > RUNS && sum.sessionsLost() > RUNS / 100 && sum.unknown() > RUNS / 50
            && sum.locks() > RUNS && sum.locksRefused() > RUNS / 20 && sum.groups() > RUNS && sum.rollbacks() > RUNS / 5
            && sum.lost() * 4 < sum.zones(), sum.toString());
    }

    /** A refused token that the next owner accepted, a lock that was exchanged in another session than its own. */
    @ParameterizedTest
    @ValueSource(longs = {7870, 500})
    void cluster_ofSeedsThatHaveFoundFaults_keepsItsPromises(long seed) {
        run(seed, Mix.DRAWN);
        run(seed, Mix.MOVES);
    }

    private static ClusterSimulation.Summary run(long seed, Mix mix) {
        ClusterSimulation simulation = new ClusterSimulation(seed, mix, new Plant());
        simulation.run();
        return simulation.summary();
    }

    /** The mixes of faults in which {@link PlantedClusterFaultsTest} finds what is rare in others. */
    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = {"DRAWN", "MAPS", "WATCHES", "NEAR_CACHES", "COLLECTIONS",
        "RANGES", "LARGE", "WHOLE", "WHOLE_POWER_CUTS", "STALLS", "SERVICES"})
    void cluster_underFaultsOfAKind_keepsItsPromises(Mix mix) {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < RUNS_OF_A_MIX; run++) {
            sum = sum.plus(run(seed + run, mix));
        }
        System.out.println(RUNS_OF_A_MIX + " runs of " + mix + " from seed " + seed + ": " + sum);
        assertTrue(RUNS_OF_A_MIX < RUNS_THAT_TELL || sum.done() > RUNS_OF_A_MIX * 50L
            && sum.recoveries() > RUNS_OF_A_MIX && hasWhatItIsFor(mix, sum), sum.toString());
    }

    /** Whether runs of a mix have had what the mix is for. */
    private static boolean hasWhatItIsFor(Mix mix, ClusterSimulation.Summary sum) {
        return switch (mix) {
            case RACKS -> sum.racksLost() > RUNS_OF_A_MIX / 4;
            case UNLOADS -> sum.moves() > RUNS_OF_A_MIX;
            case HINDRANCES -> sum.hindered() > RUNS_OF_A_MIX / 30;
            case LOCKS -> sum.locks() > RUNS_OF_A_MIX * 5L && sum.locksRefused() > RUNS_OF_A_MIX / 2;
            case GROUPS -> sum.groups() > RUNS_OF_A_MIX * 10L && sum.groupsRefused() > RUNS_OF_A_MIX;
            case OVERLAPS -> sum.overlaps() > RUNS_OF_A_MIX;
            case FAILED_SYNCS -> sum.failedLogs() > RUNS_OF_A_MIX;
            case SUPERPEERS -> sum.superpeerSteps() > RUNS_OF_A_MIX;
            case POWER_CUTS -> sum.rollbacks() > RUNS_OF_A_MIX / 2;
            default -> true;
        };
    }

    /** What a superpeer has not heard while it was stopped or cut off is no reason to take a life. */
    @Test
    void cluster_whoseSuperpeerStalls_losesNoLifeAndNoZone() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < RUNS_OF_A_MIX; run++) {
            ClusterSimulation.Summary one = run(seed + run, Mix.STALLS);
            sum = sum.plus(one);
        }
        System.out.println(RUNS_OF_A_MIX + " runs of STALLS from seed " + seed + ": " + sum);
        assertTrue(RUNS_OF_A_MIX < RUNS_THAT_TELL || sum.done() > RUNS_OF_A_MIX * 50L
            && sum.faults() > RUNS_OF_A_MIX * 2L, sum.toString());
    }

    @Test
    void cluster_withTheSameSeed_doesTheSame() {
        long seed = Seed.first();
        ClusterSimulation first = new ClusterSimulation(seed, Mix.DRAWN, new Plant());
        first.run();
        ClusterSimulation second = new ClusterSimulation(seed, Mix.DRAWN, new Plant());
        second.run();
        assertEquals(first.trace(), second.trace(), "reproduce: -Dseed=" + seed);
        assertEquals(first.summary(), second.summary());
    }
}
