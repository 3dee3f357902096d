package io.teff.cluster.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.admin.ClusterRebuild.Folder;
import io.teff.cluster.admin.ClusterRebuild.Outlook;
import io.teff.cluster.admin.ClusterRebuild.Peer;
import io.teff.cluster.admin.ClusterRebuild.Zone;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.FolderReport;
import io.teff.cluster.meta.FolderReport.CopyReport;
import io.teff.cluster.meta.KnownTables;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.RebuildPlan;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.os.Platform;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A plan of new metadata as administrators see the plan. */
final class FolderRebuildTest {
    private static final Backup FIRST = new Backup(new NodeRef(16, 3), 1);
    private static final Backup SECOND = new Backup(new NodeRef(17, 3), 2);
    private static final Backup UNKNOWN = new Backup(new NodeRef(30, 1), 3);

    private static NodeRow row(int nid) {
        return new NodeRow(nid, 3, true, new UUID(1, nid), 0, "tcp:127.0.0.1:" + nid, Roles.PEER, 0, 0, 0, 0, 9, false);
    }

    private static ZoneRow zone(int zone, int epoch, Backup... backups) {
        return new ZoneRow(zone, epoch, ZoneState.OPEN, false, new NodeRef(16, 3), List.of(backups), List.of(),
            List.of(), 9, 9);
    }

    private static FolderRebuild plan() {
        KnownTables tables = new KnownTables(9, 1, List.of(row(16), row(17)), List.of(zone(1, 3, FIRST),
            zone(2, 3, FIRST, SECOND), zone(3, 3, FIRST, UNKNOWN), zone(4, 3), zone(5, 65_400, FIRST),
            zone(6, 3, FIRST)));
        FolderReport report = new FolderReport("peer-1", new UUID(1, 16), new ClusterId(3, 4, ""), 3,
            List.of(new CopyReport(6, 8, ZoneNumber.of(5, 1), false)), tables);
        return FolderRebuild.of(List.of(report), List.of(new Folder("peer-2", 0, null, "EIO")), 2, Platform.SYSTEM);
    }

    @Test
    void zones_haveTheirOutlook_andTheKeptCopies() {
        List<Zone> zones = plan().zones();
        assertEquals(List.of(Outlook.SERVED, Outlook.WAITING, Outlook.WAITING, Outlook.LOST, Outlook.USED_UP,
            Outlook.DOUBTFUL), zones.stream().map(Zone::outlook).toList());
        assertEquals(List.of(1, 2, 3, 4, 5, 6), zones.stream().map(zone -> zone.row().zone()).toList());
        assertEquals(List.of(16, 17), zones.get(1).row().kept().stream().map(copy -> copy.node().nid()).sorted()
            .toList());
        assertEquals(ZoneStatus.State.LOST, zones.get(3).row().state());
        assertTrue(zones.get(4).row().isUsedUp());
        assertFalse(zones.get(0).row().isUsedUp());
        assertEquals(List.of(false, false, false, false, false, true), zones.stream().map(Zone::isLater).toList());
        List<ZoneStatus.Copy> doubtful = zones.get(5).row().kept().stream().filter(ZoneStatus.Copy::isDoubtful)
            .toList();
        assertEquals(List.of(16), doubtful.stream().map(copy -> copy.node().nid()).toList());
    }

    @Test
    void foldersAndPeers_areNamed_withTheMissingOnes() {
        FolderRebuild plan = plan();
        assertEquals(List.of(new Folder("peer-1", 1, 9L, null), new Folder("peer-2", 0, null, "EIO")), plan.folders());
        assertEquals(List.of(new Peer(17, "tcp:127.0.0.1:17"), new Peer(30, "")), plan.missing());
        assertTrue(plan.peers().contains(new Peer(16, "tcp:127.0.0.1:16")));
        assertEquals(List.of(), plan.obstacles());
    }

    @Test
    void statesAndOutlooks_haveTheNamesOfTheInnerOnes() {
        for (ZoneState state : ZoneState.values()) {
            assertEquals(state.isServed(), ZoneStatus.State.valueOf(state.name()).isServed());
            assertEquals(state.ordinal(), ZoneStatus.State.valueOf(state.name()).ordinal(), "the order of JSON");
        }
        assertEquals(Stream.of(RebuildPlan.Outlook.values()).map(Enum::name).toList(),
            Stream.of(Outlook.values()).map(Enum::name).toList());
    }

    @Test
    void life_isTheNameOfANode_inTexts() {
        NodeRef node = new NodeRef(17, 4);
        assertEquals(new NodeLife(17, 4), RowViews.life(node));
        assertEquals(node, RowViews.node(RowViews.life(node)));
        assertEquals(node.toString(), RowViews.life(node).toString());
    }
}
