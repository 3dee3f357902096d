package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.FolderReport.CopyReport;
import io.teff.cluster.meta.RebuildPlan.Outlook;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a rebuild makes of the folders of peers, rule by rule. */
class RebuildTest {
    private static final int EPOCH_SHIFT = 48;

    private static NodeRow node(int nid, int incarnation, boolean isAlive) {
        return new NodeRow(nid, incarnation, isAlive, new UUID(1, nid), 5, "tcp:" + nid, Roles.PEER, 3, 2, 1, 3, 40,
            false);
    }

    private static ZoneRow row(int zone, int epoch, NodeRef owner, Backup... backups) {
        return new ZoneRow(zone, epoch, ZoneState.OPEN, false, owner, List.of(backups), List.of(), List.of(), 9, 50);
    }

    private static KnownTables tables(ZoneRow... rows) {
        return new KnownTables(60, 11, List.of(node(16, 4, true), node(17, 2, true), node(18, 1, true)), List.of(rows));
    }

    private static Backup backup(int nid, int copy) {
        return new Backup(new NodeRef(nid, nid == 16 ? 4 : nid == 17 ? 2 : 1), copy);
    }

    private static CopyReport copy(int zone, int copy, int epoch, int counter) {
        return new CopyReport(zone, copy, (long) epoch << EPOCH_SHIFT | counter, false);
    }

    private static FolderReport folder(int nid, @Nullable KnownTables tables, CopyReport... copies) {
        return new FolderReport("peer-" + nid, new UUID(1, nid), nid == 16 ? 4 : 2, List.of(copies), tables);
    }

    private static MetadataMachine machine() {
        return new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
    }

    private static Outlook outlook(RebuildPlan plan) {
        assertEquals(List.of(), plan.obstacles());
        assertEquals(1, plan.findings().size());
        return plan.findings().getFirst().outlook();
    }

    private static List<Integer> kept(RebuildPlan plan) {
        return plan.zones().getFirst().kept().stream().map(Backup::copy).toList();
    }

    // ---- copies ----

    @Test
    void copyOfTheHighestEpoch_countsAlone_alsoIfAnotherHasAHigherCounter() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 2, 90)),
            folder(18, tables, copy(1, 2, 3, 70))));
        assertEquals(Outlook.SERVED, outlook(plan));
        assertEquals(List.of(2), kept(plan));
    }

    @Test
    void copyThatTheNewestRowDoesNotName_countsForNothing() {
        KnownTables older = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        KnownTables newer = tables(row(1, 4, new NodeRef(16, 4), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, older), folder(17, older, copy(1, 1, 3, 75)),
            folder(18, newer, copy(1, 2, 3, 70))));
        assertEquals(Outlook.SERVED, outlook(plan));
        assertEquals(List.of(2), kept(plan));
    }

    @Test
    void copyOfALearner_withLaterChanges_isNotUsed_andThePersonDecides() {
        KnownTables tables = tables(new ZoneRow(1, 3, ZoneState.OPEN, false, new NodeRef(16, 4),
            List.of(backup(17, 1)), List.of(), List.of(), List.of(), 9, 50, List.of(backup(18, 8))));
        RebuildPlan beside = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70)),
            folder(18, tables, copy(1, 8, 3, 71))));
        assertEquals(Outlook.SERVED, outlook(beside), "what the backup lacks was never acknowledged");
        assertEquals(List.of(1), kept(beside));
        RebuildPlan alone = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70)),
            folder(18, tables, copy(1, 8, 5, 71))));
        assertEquals(Outlook.DOUBTFUL, outlook(alone));
        MetadataMachine machine = machine();
        alone.commands(1).forEach(machine::apply);
        NodeRef back = join(machine, 17);
        NodeRef doubtful = join(machine, 18);
        int epoch = alone.zones().getFirst().epoch();
        assertInstanceOf(Reply.Stale.class, machine.apply(new Command.Returned(1, epoch, doubtful, 8, 99,
            CopyState.WHOLE)));
        machine.apply(new Command.Returned(1, epoch, back, 1, 3L << EPOCH_SHIFT | 70, CopyState.WHOLE));
        ZoneRow row = machine.zone(1);
        assertTrue(row != null && row.state() == ZoneState.WAITING && row.obstacle() != null
            && row.obstacle().contains("a person, because of a doubtful copy of node 18"), () -> "" + row);
        machine.apply(new Command.AcceptLoss(1, epoch));
        ZoneRow fenced = machine.zone(1);
        assertTrue(fenced != null && fenced.state() == ZoneState.FENCING && fenced.hasBackup(back), () -> "" + fenced);
        machine.audit();
    }

    private static NodeRef join(MetadataMachine machine, int nid) {
        return ((Reply.Joined) machine.apply(new Command.Join(new UUID(1, nid), nid, "tcp:x", Roles.PEER))).node();
    }

    @Test
    void zoneOfAMissingFolder_waitsForIt_andTheFolderIsNamed() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70))));
        assertEquals(Outlook.WAITING, outlook(plan));
        assertEquals(List.of(18), plan.missing().stream().map(NodeRow::nid).toList());
        assertEquals(List.of(2, 1), kept(plan));
    }

    @Test
    void zoneWithoutBackups_isLost_andAnEmptyOneIsNot() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4)), row(2, 3, new NodeRef(16, 4), backup(17, 1)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables), folder(18, tables)));
        assertEquals(List.of(1), plan.zones(Outlook.LOST));
        assertEquals(List.of(2), plan.zones(Outlook.SERVED));
    }

    @Test
    void zoneThatNoTablesHave_isServedFromTheCopiesOfItsFirstBackups_andFromNoOthers() {
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, null, copy(1, 1, 1, 5), copy(2, 7, 2, 5))));
        assertEquals(List.of(1), plan.zones(Outlook.SERVED));
        assertEquals(List.of(2), plan.zones(Outlook.LOST));
        assertTrue(plan.findings().stream().allMatch(RebuildPlan.Finding::isLater));
    }

    @Test
    void damagedCopy_withLaterChanges_isLeftToThePerson() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70)),
            folder(18, tables, new CopyReport(1, 2, 5L << EPOCH_SHIFT | 71, true))));
        assertEquals(Outlook.DOUBTFUL, outlook(plan));
    }

    // ---- numbers ----

    @Test
    void numbers_areAboveAllThatWereSeen() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables, copy(40, 30, 7, 5)), folder(17, tables)));
        assertTrue(plan.nextZone() > 40 && plan.lastSession() >= 11 && plan.version() > 60);
        ZoneRow row = plan.zones().getLast();
        assertTrue(row.zone() == 40 && row.epoch() > 7 && row.nextCopy() > 30);
        MetadataMachine machine = machine();
        plan.commands(1).forEach(part -> assertEquals(new Reply.Done(), machine.apply(part)));
        NodeRef life = join(machine, 16);
        assertTrue(life.nid() == 16 && life.incarnation() > 4, life::toString);
        assertTrue(join(machine, 17).incarnation() > 2);
        assertTrue(machine.hasEnded(11) && machine.hasEnded(plan.lastSession()));
        assertEquals(new Reply.SessionOpened(plan.lastSession() + 1), machine.apply(new Command.ClientOpen(3)));
        Reply.Zones given = (Reply.Zones) machine.apply(new Command.NewZones(life, 1, 2));
        assertTrue(given.first() > 40, given::toString);
        assertInstanceOf(Reply.Joined.class, machine.apply(new Command.Join(new UUID(2, 2), 1, "", Roles.PEER)));
        assertEquals(4, machine.nodesSince(-1).size(), "three folders of before, and a new one");
        machine.audit();
    }

    @Test
    void secondRebuild_isAboveTheFirst_andOlderTablesDoNotCount() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1)));
        RebuildPlan first = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 5))));
        KnownTables kept = new KnownTables(first.version(), first.lastSession() + 1, first.nodes(), first.zones());
        RebuildPlan second = Rebuild.plan(List.of(folder(16, kept), folder(17, tables, copy(1, 1, 3, 5))));
        assertEquals(Outlook.SERVED, outlook(second));
        assertTrue(second.zones().getFirst().epoch() > first.zones().getFirst().epoch()
            && second.version() > first.version() && second.lastSession() > first.lastSession());
    }

    @Test
    void foldersOfTwoClusters_areRefused() {
        KnownTables tables = tables();
        KnownTables others = new KnownTables(70, 1, List.of(new NodeRow(16, 4, true, new UUID(7, 7), 5, "", Roles.PEER,
            3, 2, 1, 3, 41, false)), List.of());
        RebuildPlan plan = Rebuild.plan(List.of(folder(17, tables), folder(18, others)));
        assertTrue(plan.obstacles().getFirst().contains("node 16 has folder "), plan.obstacles()::toString);
    }

    // ---- commands ----

    @Test
    void parts_areTakenInTheirOrder_andNobodyJoinsBeforeTheLast() {
        List<ZoneRow> rows = new ArrayList<>();
        IntStream.rangeClosed(1, 200).forEach(zone -> rows.add(row(zone, 3, new NodeRef(16, 4), backup(17, 1))));
        KnownTables tables = tables(rows.toArray(ZoneRow[]::new));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables), folder(18, tables)));
        List<Command.ZonesRebuilt> parts = plan.commands(9);
        assertTrue(parts.size() > 2, parts.size() + " parts");
        MetadataMachine machine = machine();
        assertInstanceOf(Reply.Refused.class, machine.apply(parts.get(1)));
        for (Command.ZonesRebuilt part : parts) {
            if (part.part() > 0) {
                assertInstanceOf(Reply.Refused.class, machine.apply(new Command.Join(new UUID(1, 16), 1, "",
                    Roles.PEER)));
                assertInstanceOf(Reply.Refused.class, machine.apply(new Command.ClientOpen(1)));
            }
            assertEquals(new Reply.Done(), machine.apply(part));
            MachineState state = machine.state();
            assertEquals(new Reply.Done(), machine.apply(part), "a repetition");
            assertEquals(state, machine.state());
            assertEquals(state, new MetadataMachine(state).state());
            assertInstanceOf(Reply.Refused.class, machine.apply(plan.commands(10).getFirst()), "another rebuild");
            machine.audit();
        }
        assertEquals(plan.zones(), machine.zonesSince(-1));
        assertEquals(plan.nodes(), machine.nodesSince(-1));
        join(machine, 16);
    }

    @Test
    void cellWithMetadata_takesNoOthers() {
        MetadataMachine machine = machine();
        join(machine, 30);
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, null, copy(1, 1, 1, 5))));
        assertInstanceOf(Reply.Refused.class, machine.apply(plan.commands(1).getFirst()));
        assertFalse(machine.zonesSince(-1).iterator().hasNext());
    }
}
