package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/**
 * What is in the way of a recovery for good, or for long: disks that stay full, copies that are damaged, peers that do
 * not reach each other. The zone is served all the same, or its row says why not; others do not suffer.
 */
class StuckRecoveryTest {
    private static final int PATIENCE_S = 20;

    // ---- the last backup ----

    @Test
    void lastBackup_whoseDiskStaysFull_isGivenUp_andTheZoneIsServed() {
        ScriptedCluster cluster = new ScriptedCluster(3);
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        int zone = row.zone();
        SimPeer first = cluster.peer(row.backups().get(0));
        SimPeer second = cluster.peer(row.backups().get(1));
        cluster.putNow(zone, 1);
        second.log().full(true);
        cluster.put(zone, 2);
        cluster.await(1, () -> first.log().last(zone) > second.log().last(zone), () -> "a surplus at one backup");
        cluster.peer(0).kill(false);
        cluster.awaitServed(PATIENCE_S, zone);
        assertTrue(first.isServing(zone));
        cluster.check(zone, 2);
        assertFalse(cluster.row(zone).hasBackup(second.lastLife()));
        AtomicBoolean isDone = cluster.put(zone, 3);
        cluster.run(5);
        assertFalse(isDone.get(), "nothing is acknowledged that only the owner has");
        assertTrue(cluster.row(zone).awaitsBackup());
        second.log().full(false);
        cluster.await(60, () -> cluster.row(zone).hasBackup(second.lastLife()), () -> cluster.row(zone));
        cluster.await(1, isDone::get, () -> cluster.row(zone));
    }

    @Test
    void lastBackup_thatTheOwnerDoesNotReach_isGivenUp_andTheZoneIsServed() {
        ScriptedCluster cluster = new ScriptedCluster(3);
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        cluster.putNow(row.zone(), 1);
        cluster.cut(cluster.peer(1), cluster.peer(2));
        cluster.peer(0).kill(false);
        cluster.awaitServed(PATIENCE_S, row.zone());
        cluster.check(row.zone(), 1);
    }

    // ---- owners that cannot read ----

    @Test
    void owner_whoseDiskStaysFull_handsTheZoneToAnother_andStaysItsBackup() {
        ScriptedCluster cluster = new ScriptedCluster(3);
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        SimPeer first = cluster.peer(row.backups().get(0));
        SimPeer second = cluster.peer(row.backups().get(1));
        cluster.putNow(row.zone(), 1);
        first.log().refuseReads(true);
        cluster.peer(0).kill(false);
        cluster.awaitServed(PATIENCE_S, row.zone());
        assertTrue(second.isServing(row.zone()));
        assertTrue(cluster.row(row.zone()).hasBackup(first.lastLife()));
        cluster.check(row.zone(), 1);
    }

    @Test
    void zone_thatNoDiskCanRead_saysWhy_andIsServedWhenOneCan() {
        ScriptedCluster cluster = new ScriptedCluster(3);
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        cluster.putNow(row.zone(), 1);
        List<MemoryCopyLog> logs = row.backups().stream().map(backup -> cluster.peer(backup).log()).toList();
        logs.forEach(log -> log.refuseReads(true));
        cluster.peer(0).kill(false);
        cluster.await(PATIENCE_S, () -> cluster.row(row.zone()).obstacles().size() == 2, () -> cluster.row(row.zone()));
        assertTrue(cluster.row(row.zone()).obstacle().contains("its disk is full"), cluster.row(row.zone()).obstacle());
        logs.forEach(log -> log.refuseReads(false));
        cluster.awaitServed(PATIENCE_S, row.zone());
        cluster.check(row.zone(), 1);
        assertNull(cluster.row(row.zone()).obstacle());
    }

    @Test
    void zone_whoseLastCopyIsDamaged_saysWhy_isNotLost_andIsServedIfItCanBeReadAfterAll() {
        ScriptedCluster cluster = new ScriptedCluster(3);
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        cluster.putNow(row.zone(), 1);
        List<SimPeer> backups = row.backups().stream().map(cluster::peer).toList();
        backups.forEach(peer -> peer.log().damage());
        cluster.peer(0).kill(false);
        cluster.await(PATIENCE_S, () -> cluster.row(row.zone()).obstacle() != null, () -> cluster.row(row.zone()));
        cluster.run(60);
        ZoneRow stuck = cluster.row(row.zone());
        assertEquals(ZoneState.RESTORING, stuck.state());
        assertEquals("the copy of " + stuck.owner() + " is damaged, and no other node that lives has one",
            stuck.obstacle());
        backups.forEach(peer -> peer.log().repair());
        cluster.awaitServed(PATIENCE_S, row.zone());
        cluster.check(row.zone(), 1);
        assertNull(cluster.row(row.zone()).obstacle());
    }

    @Test
    void zone_whoseLastCopyIsDamaged_isLostWhenItsNodeComesBackWithIt() {
        ScriptedCluster cluster = new ScriptedCluster(3);
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        row.backups().forEach(backup -> cluster.peer(backup).log().damage());
        cluster.putNow(row.zone(), 1);
        cluster.peer(0).kill(false);
        cluster.await(PATIENCE_S, () -> cluster.row(row.zone()).obstacle() != null, () -> cluster.row(row.zone()));
        SimPeer last = cluster.peer(row.backup(cluster.row(row.zone()).owner()));
        last.kill(false);
        cluster.await(PATIENCE_S, () -> cluster.row(row.zone()).state() == ZoneState.WAITING, cluster::rows);
        cluster.run(60);
        assertEquals(ZoneState.WAITING, cluster.row(row.zone()).state(), "it may have been the disk's cable");
        last.start();
        cluster.await(PATIENCE_S, () -> cluster.row(row.zone()).state() == ZoneState.LOST, cluster::rows);
    }

    // ---- the others ----

    @Test
    void zones_thatCannotBeRestored_keepNoOtherFromNewBackups() {
        ScriptedCluster cluster = new ScriptedCluster(4);
        cluster.rows().forEach(row -> cluster.putNow(row.zone(), 1));
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        row.backups().forEach(backup -> cluster.peer(backup).log().damage());
        cluster.peer(0).kill(false);
        cluster.await(60, () -> cluster.rows().stream().allMatch(it -> it.obstacle() != null
            || cluster.isServed(it) && it.backups().size() == 2), cluster::rows);
        assertTrue(cluster.count(ZoneState.RESTORING) > 0, "nothing was in the way");
    }

    @Test
    void peer_whoseDiskStaysFull_isMadeALearnerMoreAndMoreRarely() {
        ScriptedCluster cluster = new ScriptedCluster(4);
        cluster.rows().forEach(row -> cluster.putNow(row.zone(), 1));
        cluster.peer(3).log().full(true);
        cluster.peer(0).kill(false);
        cluster.run(30);
        List<ZoneRow> before = cluster.rows().stream().filter(row -> row.state() != ZoneState.LOST).toList();
        cluster.run(60);
        for (ZoneRow row : before) {
            int changes = cluster.row(row.zone()).epoch() - row.epoch();
            assertTrue(changes < 12, () -> changes + " configurations in a minute: " + row);
            cluster.putNow(row.zone(), 2);
        }
    }

    /** The zones of the owner have one backup that takes nothing, and so does each node that could be another one. */
    @Test
    void zone_whoseOnlyBackupIsFull_isRead_whileAFullPeerLearnsIt() {
        ScriptedCluster cluster = new ScriptedCluster(4);
        ZoneRow row = cluster.zoneOf(cluster.peer(0));
        cluster.putNow(row.zone(), 1);
        cluster.peer(row.backups().getFirst()).kill(false);
        cluster.await(10, () -> cluster.row(row.zone()).backups().size() == 1, () -> cluster.row(row.zone()));
        List.of(1, 2, 3).forEach(peer -> cluster.peer(peer).log().full(true));
        cluster.await(30, () -> !cluster.row(row.zone()).learners().isEmpty(), () -> cluster.row(row.zone()));
        for (int i = 0; i < 40; i++) {
            AtomicBoolean isRead = cluster.read(row.zone());
            cluster.await(1, isRead::get, () -> "a read of " + cluster.row(row.zone()));
            cluster.run(1);
        }
        assertEquals(1, cluster.row(row.zone()).backups().size());
        List.of(1, 2, 3).forEach(peer -> cluster.peer(peer).log().full(false));
        cluster.putNow(row.zone(), 2);
    }

    // ---- joins ----

    @Test
    void peer_thatWasKilledBeforeItsFirstHeartbeat_joinsAgainAfterATerm() {
        ScriptedCluster cluster = new ScriptedCluster(3);
        SimPeer late = cluster.add();
        late.start();
        cluster.await(5, () -> cluster.alive() == 4, () -> "a join");
        assertNull(late.core(), "it has sent heartbeats");
        late.kill(false);
        late.start();
        long startedNs = cluster.nowNs();
        cluster.await(PATIENCE_S, () -> late.core() != null, () -> "another life");
        assertTrue(cluster.nowNs() - startedNs < 2 * ScriptedCluster.TERMS.termNs(), () ->
            "joined after " + (cluster.nowNs() - startedNs) / SimWorld.MS + " ms");
    }
}
