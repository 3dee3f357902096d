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
 * Goal: whatever happens to nodes, clocks, messages and disks, a cluster keeps its promises. Method: runs of a {@link
 * ClusterSimulation} whose peers have the store, the folder and the log of the product, on disks in memory.
 */
@Tag("heavy")
class WholeSimulationTest {
    private static final int RUNS = Form.size("wholeSeeds", 6, 50, 5_000);
    private static final int MAP_RUNS = Form.size("mapSeeds", 3, 30, 3_000);
    private static final int NEAR_RUNS = Form.size("nearSeeds", 2, 30, 3_000);
    private static final int WATCH_RUNS = Form.size("watchSeeds", 2, 30, 3_000);
    private static final int COLLECTION_RUNS = Form.size("collectionSeeds", 4, 200, 3_000);
    private static final int SERVICE_RUNS = Form.size("serviceSeeds", 10, 300, 3_000);
    private static final int RUNS_TWICE = Form.size(1, 3, 3);
    /** One seed in this number is about power cuts. */
    private static final int POWER_CUTS_ODDS = 4;
    /** In fewer runs something that is looked for may be missing. */
    private static final int RUNS_THAT_TELL = 50;

    @Test
    void cluster_ofRealParts_keepsItsPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        RealDisk.Counts disks = new RealDisk.Counts();
        for (int run = 0; run < RUNS; run++) {
            sum = sum.plus(run(seed + run, disks).summary());
        }
        System.out.println(RUNS + " whole runs from seed " + seed + ": " + sum + ", " + disks);
        assertTrue(RUNS < RUNS_THAT_TELL || sum.done() > RUNS * 50L && sum.recoveries() > RUNS
            && sum.moves() > RUNS / 10 && sum.stops() > RUNS / 2 && sum.locks() > RUNS && sum.groups() > RUNS
            && sum.rollbacks() > RUNS / 5 && sum.lost() * 4 < sum.zones() && disks.reopenings > RUNS
            && disks.powerCuts > RUNS / 4 && disks.failures > RUNS / 10, sum + ", " + disks);
    }

    /** A refused token that the next owner accepted, a log after a failed sync, zones that waited for memory. */
    @ParameterizedTest
    @ValueSource(longs = {781, 2970, 4134})
    void cluster_ofSeedsThatHaveFoundFaults_keepsItsPromises(long seed) {
        run(seed, new RealDisk.Counts());
    }

    /** Clients use maps: each operation is one record with its result, and is done once, whatever fails. */
    @Test
    void maps_keepTheirPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < MAP_RUNS; run++) {
            ClusterSimulation simulation = new ClusterSimulation(seed + run, Mix.MAPS, new Plant(),
                new RealParts(new RealDisk.Counts(), true), "WholeSimulationTest#maps_keepTheirPromises");
            simulation.run();
            sum = sum.plus(simulation.summary());
        }
        System.out.println(MAP_RUNS + " runs with maps from seed " + seed + ": " + sum);
        assertTrue(MAP_RUNS < RUNS_THAT_TELL || sum.done() > MAP_RUNS * 50L && sum.repeated() > MAP_RUNS
            && sum.recoveries() > MAP_RUNS, sum.toString());
    }

    /** Clients watch maps: each event is shown once, with its number, whatever fails. */
    @Test
    void watches_keepTheirPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        long events = 0;
        for (int run = 0; run < WATCH_RUNS; run++) {
            ClusterSimulation simulation = new ClusterSimulation(seed + run, Mix.WATCHES, new Plant(),
                RealParts.ofCollections(), "WholeSimulationTest#watches_keepTheirPromises");
            simulation.run();
            sum = sum.plus(simulation.summary());
            events += simulation.events();
        }
        System.out.println(WATCH_RUNS + " runs with watches from seed " + seed + ": " + events + " events, " + sum);
        assertTrue(WATCH_RUNS < RUNS_THAT_TELL || events > WATCH_RUNS * 5L && sum.recoveries() > WATCH_RUNS,
            "events " + events + ", " + sum);
    }

    /** Clients have near caches: a read shows a value within the bound, and no older one than seen before. */
    @Test
    void nearCaches_keepTheirBound() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        long hits = 0;
        for (int run = 0; run < NEAR_RUNS; run++) {
            ClusterSimulation simulation = new ClusterSimulation(seed + run, Mix.NEAR_CACHES, new Plant(),
                RealParts.ofCollections(), "WholeSimulationTest#nearCaches_keepTheirBound");
            simulation.run();
            sum = sum.plus(simulation.summary());
            hits += simulation.hits();
        }
        System.out.println(NEAR_RUNS + " runs with near caches from seed " + seed + ": " + hits + " copies, " + sum);
        assertTrue(hits > NEAR_RUNS && (NEAR_RUNS < RUNS_THAT_TELL || hits > NEAR_RUNS * 5L
            && sum.recoveries() > NEAR_RUNS), "copies " + hits + ", " + sum);
    }

    /** Queues, lists, counters, batches and a map with partitions: each operation has one moment, and is done once. */
    @Test
    void collections_keepTheirPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        long undecided = 0;
        for (int run = 0; run < COLLECTION_RUNS; run++) {
            ClusterSimulation simulation = new ClusterSimulation(seed + run, Mix.COLLECTIONS, new Plant(),
                RealParts.ofCollections(), "WholeSimulationTest#collections_keepTheirPromises");
            simulation.run();
            sum = sum.plus(simulation.summary());
            undecided += simulation.undecided();
        }
        System.out.println(COLLECTION_RUNS + " runs with collections from seed " + seed + ": " + sum + ", undecided "
            + undecided);
        assertTrue(COLLECTION_RUNS < RUNS_THAT_TELL || sum.done() > COLLECTION_RUNS * 50L && sum.repeated()
            > COLLECTION_RUNS && sum.recoveries() > COLLECTION_RUNS && undecided * 10 < COLLECTION_RUNS,
            sum.toString());
    }

    /** Names, counters, locks, semaphores and temporary names of superpeers with the real consensus. */
    @Test
    void services_keepTheirPromises() {
        long seed = Seed.first();
        ClusterSimulation.Summary sum = ClusterSimulation.Summary.NONE;
        for (int run = 0; run < SERVICE_RUNS; run++) {
            ClusterSimulation simulation = run % 2 == 0 ? ClusterSimulation.withConsensus(seed + run, Mix.SERVICES)
                : new ClusterSimulation(seed + run, Mix.SERVICES, new Plant());
            simulation.run();
            sum = sum.plus(simulation.summary());
        }
        System.out.println(SERVICE_RUNS + " runs with services from seed " + seed + ": " + sum);
        assertTrue(SERVICE_RUNS < RUNS_THAT_TELL || sum.done() > SERVICE_RUNS * 50L && sum.elections() > SERVICE_RUNS,
            sum.toString());
    }

    private static ClusterSimulation run(long seed, RealDisk.Counts disks) {
        ClusterSimulation simulation = new ClusterSimulation(seed,
            seed % POWER_CUTS_ODDS == 0 ? Mix.WHOLE_POWER_CUTS : Mix.WHOLE, new Plant(), new RealParts(disks),
            "WholeSimulationTest");
        simulation.run();
        return simulation;
    }

    @Test
    void cluster_withTheSameSeed_doesTheSame() {
        long seed = Seed.first();
        for (int run = 0; run < RUNS_TWICE; run++) {
            RealDisk.Counts disks = new RealDisk.Counts();
            RealDisk.Counts again = new RealDisk.Counts();
            ClusterSimulation first = run(seed + run, disks);
            ClusterSimulation second = run(seed + run, again);
            assertEquals(first.trace(), second.trace(), "reproduce: -Dseed=" + (seed + run));
            assertEquals(first.summary(), second.summary());
            assertEquals(disks.toString(), again.toString());
        }
    }
}
