package io.teff.test.cluster.kills;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.test.kit.Lateness;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What is looked at around each step of a test that kills nodes and damages disks while a load works: what the
 * cluster was before the step, how long the step has taken, and whether anything has gone back. For one thread.
 *
 * <p>Lives of peers are judged where the machine is in time: a peer that gets no processor for its lease begins another
 * life.
 */
final class KillSteps implements AutoCloseable {
    /** Operations of the load before each step, and in each step when the fault is over. */
    private static final int OPERATIONS = 100;
    /** A quarter of a lease: on a machine that is later, peers lose their lives without a fault. */
    private static final long LATE_MS = 250;
    /** So is a machine where more threads want each processor. */
    private static final int BUSY = 4;

    private final LocalCluster cluster;
    private final KillLoad load;
    private final List<String> report = new ArrayList<>();
    private Set<NodeRef> lives;
    private List<ZoneRow> rows = List.of();
    private long version;
    private long begunNs;
    private Lateness.Watch lateness = Lateness.watch();

    /** Waits until all peers of a cluster live, and all zones have their backups. */
    KillSteps(LocalCluster cluster, KillLoad load) {
        this.cluster = cluster;
        this.load = load;
        cluster.awaitBacked();
        lives = cluster.lives();
    }

    /** Lets the load work, and notes what the cluster is before a step. */
    void begin() {
        lateness.close();
        lateness = Lateness.watch();
        load.await(OPERATIONS);
        rows = cluster.rows();
        version = cluster.version();
        load.forgetGaps();
        begunNs = System.nanoTime();
    }

    /** Lets the load work in the middle of a step. */
    void work() {
        load.await(OPERATIONS);
    }

    /** Notes how long the step has taken until now, and lets the load go on. */
    void end(String what) {
        long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNs);
        load.await(OPERATIONS);
        report.add(what + " after " + ms + " ms; no operation on chunks has ended for " + load.gapMs() + " ms");
    }

    /** Checks that each superpeer has everything, that nothing has gone back, and that no peer has lost its life. */
    void check() {
        check(Set.of());
    }

    /**
     * Checks that each superpeer has everything, that nothing has gone back, and that all other peers have the lives of
     * before.
     *
     * @param killed the lives of the peers that were killed and started again
     */
    void check(Set<NodeRef> killed) {
        assertEquals(List.of(), load.faults(), cluster::logs);
        cluster.awaitVersion(version);
        cluster.awaitBacked();
        checkLives(killed);
        checkRows();
    }

    private void checkLives(Set<NodeRef> killed) {
        Set<NodeRef> before = lives;
        lives = cluster.lives();
        assertTrue(Collections.disjoint(killed, lives), () -> "killed were " + killed + ", there are " + lives);
        Set<NodeRef> gone = new HashSet<>(before);
        gone.removeAll(killed);
        gone.removeAll(lives);
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        if (!gone.isEmpty() && (lateness.lateMs() > LATE_MS || load > BUSY * system.getAvailableProcessors())) {
            System.out.println("the machine was late by " + lateness.lateMs() + " ms, and its load is " + load
                + ": the end of the lives " + gone + " is not judged");
            return;
        }
        assertTrue(gone.isEmpty(), () -> gone + " have lost their lives, killed were " + killed + cluster.logs());
    }

    /** Checks that no row of before has gone back. */
    private void checkRows() {
        List<ZoneRow> now = cluster.rows();
        for (ZoneRow before : rows) {
            assertTrue(cluster.isLost(before.zone())
                    || now.stream().anyMatch(row -> row.zone() == before.zone() && isKept(before, row)),
                () -> before + " is not kept: " + now + cluster.logs());
        }
    }

    /** Returns whether a row is as before, but for what its owner has done since, or has an owner at last. */
    private static boolean isKept(ZoneRow before, ZoneRow now) {
        return now.epoch() > before.epoch() || now.epoch() == before.epoch() && now.state().isServed()
            && now.owner() != null && (before.owner() == null
                || now.owner().equals(before.owner()) && now.backups().equals(before.backups()));
    }

    /** Returns the lives of before the step. */
    Set<NodeRef> lives() {
        return lives;
    }

    @Override
    public void close() {
        lateness.close();
    }

    /** Returns a line for each step. */
    List<String> report() {
        return List.copyOf(report);
    }
}
