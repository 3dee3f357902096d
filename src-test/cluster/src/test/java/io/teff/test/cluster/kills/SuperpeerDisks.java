package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.test.kit.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Small file systems in memory for the superpeers of a cluster, where the machine allows to mount them; else the
 * superpeers keep the folders that they have. To be closed after the cluster.
 */
final class SuperpeerDisks implements AutoCloseable {
    private static final int DISK_MB = 96;

    private final Map<String, SmallDisk> disks = new HashMap<>();

    /**
     * Returns whether the machine allows small disks.
     *
     * @param folder where to try it; exists
     */
    static boolean mayMount(Path folder) throws IOException {
        Path at = folder.resolve("probe");
        Optional<SmallDisk> probe = SmallDisk.mount(at, 1);
        if (probe.isPresent()) {
            probe.get().close();
        }
        Files.delete(at);
        return probe.isPresent();
    }

    /** Moves the data of all superpeers, none of which runs, to small disks. */
    void move(LocalCluster cluster) throws IOException, InterruptedException {
        for (String name : cluster.superpeers()) {
            Path data = cluster.cell(name).getParent();
            Path before = data.resolveSibling("before");
            Files.move(data, before);
            mount(name, data);
            Process copy = new ProcessBuilder("cp", "-a", before + "/.", data.toString()).start();
            assertEquals(0, copy.waitFor());
            assertTrue(Files.exists(cluster.cell(name)), "the folder of the log is there");
        }
    }

    private void mount(String name, Path data) throws IOException {
        disks.put(name, SmallDisk.mount(data, DISK_MB).orElseThrow());
    }

    /** Takes the disk of a superpeer that does not run away, with its data; there is an empty one in its place. */
    void replace(LocalCluster cluster, String name) throws IOException {
        SmallDisk disk = disks.remove(name);
        if (disk != null) {
            disk.close();
        }
        cluster.loseDisk(name);
        if (disk != null) {
            mount(name, disk.folder());
        }
    }

    /**
     * Fills the disk of the leading superpeer, or of another one: the others go on, also when a peer is killed. With
     * room, the superpeer goes on in the same process.
     *
     * @param name the superpeer
     * @param peer to be killed, and started again
     */
    void fillAndFree(LocalCluster cluster, KillSteps steps, String name, String peer) throws IOException {
        steps.begin();
        final List<Long> before = superpeers(cluster);
        SmallDisk disk = disks.get(name);
        disk.fill();
        cluster.awaitTrue("a full disk stops " + name, () -> {
            cluster.commitLong();                               // a segment of the log may have all its room already
            return isStopped(cluster, name);
        });
        cluster.awaitLeader(List.of(name));
        cluster.commit();
        NodeRef dead = cluster.kill(peer);                      // clients need the tables of the others
        cluster.awaitServed(dead);
        steps.end("the disk of a superpeer is full, and a peer is killed; its zones are served");
        cluster.startTogether(List.of(peer));
        long version = cluster.version();
        disk.free();
        cluster.awaitTrue(name + " has version " + version, () -> cluster.version(name) >= version);
        assertEquals(before, superpeers(cluster), "no superpeer has ended");
        steps.check(Set.of(dead));
    }

    private static List<Long> superpeers(LocalCluster cluster) {
        return cluster.processes().subList(0, cluster.superpeers().size());
    }

    /** Returns whether a superpeer's log tells that its disk is full. */
    private static boolean isStopped(LocalCluster cluster, String name) {
        try {
            return cluster.log(name).contains("cell: the disk is full");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (SmallDisk disk : disks.values()) {
            disk.close();
        }
    }
}
