package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import io.teff.test.kit.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
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
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class SuperpeerDiskTest {
    private static final int PEERS = 3;
    private static final int OPERATIONS = 100;
    private static final int DISK_MB = 96;

    @TempDir
    private Path folder;
    private final Map<String, SmallDisk> disks = new HashMap<>();

    @AfterEach
    void unmount() throws IOException {
        for (SmallDisk disk : disks.values()) {
            disk.close();
        }
    }

    @Test
    void disks_ofSuperpeers_full_theOthersGoOn_andWithRoomAllGoOn() throws Exception {
        assumeTrue(mayMount(), "no right to mount file systems");
        long seed = Seed.first();
        System.out.println(Seed.reproduce(SuperpeerDiskTest.class, seed));
        try (LocalCluster cluster = new LocalCluster(folder.resolve("cluster"), null, 3, PEERS)) {
            cluster.down();
            for (String name : cluster.superpeers()) {
                disks.put(name, moveToSmallDisk(cluster.cell(name).getParent()));
            }
            cluster.upAgain();
            cluster.awaitBacked();
            try (KillLoad load = new KillLoad(cluster, seed)) {
                load.begin();
                String leader = cluster.awaitLeader(List.of());
                fillAndFree(cluster, load, leader);
                String last = leader;
                if (Form.isLong()) {
                    last = others(cluster, cluster.awaitLeader(List.of())).getFirst();
                    fillAndFree(cluster, load, last);
                }
                cluster.kill(others(cluster, last).getFirst());
                cluster.commit();                               // a majority with the one whose disk was full
                load.await(OPERATIONS);
                assertEquals(List.of(), load.end(cluster), cluster::logs);
            }
        }
    }

    private static List<String> others(LocalCluster cluster, String superpeer) {
        return cluster.superpeers().stream().filter(name -> !name.equals(superpeer)).toList();
    }

    private void fillAndFree(LocalCluster cluster, KillLoad load, String name)
            throws IOException, InterruptedException {
        final List<Long> superpeers = superpeers(cluster);
        final String peer = cluster.peers().getFirst();
        SmallDisk disk = disks.get(name);
        disk.fill();
        cluster.awaitTrue("a full disk stops " + name, () -> {
            cluster.commit();
            return isStopped(cluster, name);
        });
        cluster.awaitLeader(List.of(name));
        cluster.commit();
        final NodeRef dead = cluster.kill(peer);                // clients need the tables of the others
        cluster.awaitServed(dead);
        load.await(OPERATIONS);
        cluster.start(peer);
        final long version = cluster.superpeers().stream().mapToLong(cluster::version).max().orElseThrow();
        disk.free();
        cluster.awaitTrue(name + " has version " + version, () -> cluster.version(name) >= version);
        assertEquals(superpeers, superpeers(cluster), "no superpeer has ended");
        cluster.awaitBacked();
    }

    private static List<Long> superpeers(LocalCluster cluster) {
        return cluster.processes().subList(0, cluster.superpeers().size());
    }

    /** Returns whether the last thing that a superpeer's log tells of its disk is that it is full. */
    private static boolean isStopped(LocalCluster cluster, String name) {
        try {
            return cluster.log(name).contains("cell: the disk is full");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private boolean mayMount() throws IOException {
        Optional<SmallDisk> probe = SmallDisk.mount(folder.resolve("probe"), 1);
        if (probe.isPresent()) {
            probe.get().close();
        }
        return probe.isPresent();
    }

    private static SmallDisk moveToSmallDisk(Path data) throws IOException, InterruptedException {
        Path before = data.resolveSibling("before");
        Files.move(data, before);
        SmallDisk disk = SmallDisk.mount(data, DISK_MB).orElseThrow();
        Process copy = new ProcessBuilder("cp", "-a", before + "/.", data.toString()).start();
        assertEquals(0, copy.waitFor());
        assertTrue(Files.exists(data.resolve("cell")), "the folder of the log is there");
        return disk;
    }
}
