package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.tier.FullTier;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: of three superpeers, processes are killed and disks are lost in every way that a cluster must survive; no other
 * node loses its life, no row of the metadata goes back, no acknowledged change is lost, and no call fails.
 *
 * <p>Method: one cluster as {@code ./teff cluster up} makes it, with three peers; the load of {@link KillLoad} goes on
 * during all steps, and its histories are judged at the end. How long no operation has ended, and how long no command
 * was committed, is printed and not judged.
 */
@Tag("processes")
@FullTier("173 s for a cluster of its own; FaultTourTest kills superpeers in the same ways, but for one step")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
final class SuperpeerKillTest {
    private static final int PEERS = 3;

    @TempDir
    private Path folder;

    @Test
    void superpeers_killedInEveryWay_keepTheMetadata_andChunksAreServed() throws Exception {
        long seed = Seed.first();
        System.out.println(Seed.reproduce(SuperpeerKillTest.class, seed));
        try (SuperpeerDisks disks = new SuperpeerDisks();
             LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 3, PEERS);
             KillLoad load = new KillLoad(cluster, seed);
             KillSteps steps = new KillSteps(cluster, load)) {
            SuperpeerKills kills = new SuperpeerKills(cluster, steps, Seed.random(seed));
            load.begin();
            kills.leaderIsKilled();
            if (Form.isLong()) {                                // ClusterKillTest kills followers, too
                kills.followerIsKilled();
            }
            kills.mostAreKilled_andComeBack();
            kills.majorityNeeds(kills.diskOfAFollowerIsLost(disks));
            kills.allAreKilled_andStartFromTheirArchives();
            kills.leaderIsKilled_whileZonesAreRecovered();
            List<String> faults = load.end(cluster);
            steps.report().forEach(System.out::println);
            assertEquals(List.of(), faults, cluster::logs);
        }
    }
}
