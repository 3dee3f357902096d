package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

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
 * Goal: the disk of a superpeer is full, of the leading one and of another. The others go on; when there is room, the
 * superpeer goes on without a hand, and counts in majorities.
 *
 * <p>Method: each superpeer of a cluster of processes has a small file system in memory, which the test fills and makes
 * empty again; the load of {@link KillLoad} goes on meanwhile, also when a peer is killed. Needs the right to mount.
 */
@Tag("processes")
@FullTier("a cluster of processes; FaultTourTest fills the disk of the leader, too")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class SuperpeerDiskTest {
    private static final int PEERS = 3;

    @TempDir
    private Path folder;

    @Test
    void disks_ofSuperpeers_full_theOthersGoOn_andWithRoomAllGoOn() throws Exception {
        assumeTrue(SuperpeerDisks.mayMount(folder), "no right to mount file systems");
        long seed = Seed.first();
        System.out.println(Seed.reproduce(SuperpeerDiskTest.class, seed));
        try (SuperpeerDisks disks = new SuperpeerDisks();
             LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 3, PEERS)) {
            cluster.down();
            disks.move(cluster);
            cluster.upAgain();
            cluster.awaitBacked();
            try (KillLoad load = new KillLoad(cluster, seed); KillSteps steps = new KillSteps(cluster, load)) {
                SuperpeerKills kills = new SuperpeerKills(cluster, steps, Seed.random(seed));
                load.begin();
                String last = cluster.awaitLeader(List.of());
                disks.fillAndFree(cluster, steps, last, cluster.peers().getFirst());
                if (Form.isLong()) {
                    last = kills.any(kills.others(cluster.awaitLeader(List.of())));
                    disks.fillAndFree(cluster, steps, last, cluster.peers().getFirst());
                }
                cluster.kill(kills.others(last).getFirst());
                cluster.commit();                               // a majority with the one whose disk was full
                steps.work();
                assertEquals(List.of(), load.end(cluster), cluster::logs);
            }
        }
    }
}
