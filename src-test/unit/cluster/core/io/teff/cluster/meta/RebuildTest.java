package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.FolderReport.CopyReport;
import io.teff.cluster.meta.RebuildPlan.Outlook;
import io.teff.cluster.net.identity.ClusterId;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a rebuild makes of the folders of peers, rule by rule. */
class RebuildTest {
    private static final ClusterId CLUSTER = new ClusterId(1, 2, "orders");
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
        return new FolderReport("peer-" + nid, new UUID(1, nid), CLUSTER, nid == 16 ? 4 : 2, List.of(copies), tables);
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
        return plan.tables().zones().getFirst().kept().stream().map(Backup::copy).toList();
    }

    // ---- copies ----

    @Test
    void copyOfTheHighestEpoch_countsAlone_alsoIfAnotherHasAHigherCounter() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 2, 90)),
            folder(18, tables, copy(1, 2, 3, 70))), 2);
        assertEquals(Outlook.SERVED, outlook(plan));
        assertEquals(List.of(2), kept(plan));
    }

    @Test
    void copyThatTheNewestRowDoesNotName_countsForNothing() {
        KnownTables older = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        KnownTables newer = tables(row(1, 4, new NodeRef(16, 4), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, older), folder(17, older, copy(1, 1, 3, 75)),
            folder(18, newer, copy(1, 2, 3, 70))), 2);
        assertEquals(Outlook.SERVED, outlook(plan));
        assertEquals(List.of(2), kept(plan));
    }

    @Test
    void copyOfALearner_withLaterChanges_isNotUsed_andThePersonDecides() {
        KnownTables tables = tables(new ZoneRow(1, 3, ZoneState.OPEN, false, new NodeRef(16, 4),
            List.of(backup(17, 1)), List.of(), List.of(), List.of(), 9, 50, List.of(backup(18, 8))));
        RebuildPlan beside = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70)),
            folder(18, tables, copy(1, 8, 3, 71))), 2);
        assertEquals(Outlook.SERVED, outlook(beside), "what the backup lacks was never acknowledged");
        assertEquals(List.of(1), kept(beside));
        RebuildPlan alone = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70)),
            folder(18, tables, copy(1, 8, 5, 71))), 2);
        assertEquals(Outlook.DOUBTFUL, outlook(alone));
        MetadataMachine machine = machine();
        alone.commands(1).forEach(machine::apply);
        NodeRef back = join(machine, 17);
        NodeRef doubtful = join(machine, 18);
        int epoch = alone.tables().zones().getFirst().epoch();
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Returned(1, epoch, doubtful, 8, 99,
            CopyState.WHOLE)));
        machine.apply(new Command.Returned(1, epoch, back, 1, 3L << EPOCH_SHIFT | 70, CopyState.WHOLE));
        ZoneRow row = machine.zone(1);
        assertTrue(row != null && row.state() == ZoneState.WAITING && row.obstacle() != null
            && row.obstacle().contains("a person, because of a doubtful copy of node 18"), () -> "" + row);
        machine.apply(new Command.AcceptLoss(1, epoch, 0, 0));
        ZoneRow fenced = machine.zone(1);
        assertTrue(fenced != null && fenced.state() == ZoneState.FENCING && fenced.hasBackup(back), () -> "" + fenced);
        machine.audit();
    }

    private static NodeRef join(MetadataMachine machine, int nid) {
        return ((CommandReply.Joined) machine.apply(new Command.Join(new UUID(1, nid), nid, "tcp:x",
            Roles.PEER))).node();
    }

    @Test
    void zoneOfAMissingFolder_waitsForIt_andTheFolderIsNamed() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70))), 2);
        assertEquals(Outlook.WAITING, outlook(plan));
        assertEquals(List.of(18), plan.missing().stream().map(NodeRow::nid).toList());
        assertEquals(List.of(2, 1), kept(plan));
    }

    @Test
    void zoneWithoutBackups_isLost_andAnEmptyOneIsNot() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4)), row(2, 3, new NodeRef(16, 4), backup(17, 1)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables), folder(18, tables)), 2);
        assertEquals(List.of(1), plan.zones(Outlook.LOST));
        assertEquals(List.of(2), plan.zones(Outlook.SERVED));
    }

    @Test
    void zoneThatNoTablesHave_isServedFromTheCopiesOfItsFirstBackups_andFromNoOthers() {
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, null, copy(1, 1, 1, 5), copy(2, 7, 2, 5))), 2);
        assertEquals(List.of(1), plan.zones(Outlook.SERVED));
        assertEquals(List.of(2), plan.zones(Outlook.LOST));
        assertTrue(plan.findings().stream().allMatch(RebuildPlan.Finding::isLater));
    }

    @Test
    void copyOfALearner_whoseLastChangeIsOfTheFirstEpoch_isNotWhole() {
        MetadataMachine machine = machine();
        NodeRef owner = join(machine, 16);
        machine.apply(new Command.NewZones(owner, 1, 1));
        join(machine, 17);
        machine.apply(new Command.AddBackup(1, 1));
        ZoneRow learning = machine.zone(1);
        assertTrue(learning != null && learning.learners().size() == 1);
        int copy = learning.learners().getFirst().copy();
        RebuildPlan plan = Rebuild.plan(List.of(folder(17, null, copy(1, copy, 1, 5))), 2);
        assertEquals(Outlook.LOST, outlook(plan), "it begins behind the owner's last change, which is of epoch 1");
        RebuildPlan beside = Rebuild.plan(List.of(folder(17, null, copy(1, copy, 1, 5)), folder(18, null, copy(1, 2, 1,
            4))), 2);
        assertEquals(List.of(2), kept(beside));
    }

    @Test
    void zoneThatWaitsForAPerson_waitsAfterASecondRebuild_until_itIsGivenUp() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1)));
        FolderReport late = folder(18, tables, copy(1, 8, 5, 71));
        RebuildPlan first = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70)), late), 2);
        assertEquals(Outlook.DOUBTFUL, outlook(first));
        for (FolderReport other : List.of(late, folder(18, known(first)), folder(18, known(first), copy(1, 8, 5,
            71)))) {
            RebuildPlan second = Rebuild.plan(List.of(folder(16, known(first)), folder(17, tables, copy(1, 1, 3, 70)),
                other), 2);
            assertEquals(Outlook.DOUBTFUL, outlook(second));
            MetadataMachine machine = machine();
            second.commands(1).forEach(machine::apply);
            int epoch = second.tables().zones().getFirst().epoch();
            NodeRef back = join(machine, 17);
            machine.apply(new Command.Returned(1, epoch, back, 1, 3L << EPOCH_SHIFT | 70, CopyState.WHOLE));
            ZoneRow row = machine.zone(1);
            assertTrue(row != null && row.state() == ZoneState.WAITING, () -> "" + row);
            machine.apply(new Command.AcceptLoss(1, epoch, 0, 0));
            ZoneRow fenced = machine.zone(1);
            assertTrue(fenced != null && fenced.state() == ZoneState.FENCING, () -> "" + fenced);
            machine.audit();
        }
        assertEquals(Outlook.DOUBTFUL, outlook(Rebuild.plan(List.of(folder(16, known(first)), folder(17, tables,
            copy(1, 1, 3, 70))), 2)), "without the folder of the doubtful copy, too");
    }

    private static KnownTables known(RebuildPlan plan) {
        return new KnownTables(plan.tables().version(), plan.tables().lastSession() + 1, plan.tables().nodes(),
            plan.tables().zones());
    }

    @Test
    void zoneNearItsLastEpoch_isServed_orUsedUp_andTheOthersAreServed() {
        for (int epoch : new int[] {65_278, 65_279, 65_534, 65_535}) {
            KnownTables tables = tables(row(1, epoch, new NodeRef(16, 4), backup(17, 1)), row(2, 3, new NodeRef(16, 4),
                backup(17, 1)));
            RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1,
                Math.min(epoch, ZoneRow.EPOCH_LAST), 5), copy(2, 1, 3, 5)), folder(18, tables)), 2);
            assertEquals(List.of(), plan.obstacles());
            boolean isServed = epoch == 65_278;
            assertEquals(List.of(1), plan.zones(isServed ? Outlook.SERVED : Outlook.USED_UP).subList(0, 1));
            assertTrue(plan.zones(Outlook.SERVED).contains(2));
            assertEquals(List.of(1), kept(plan));
            MetadataMachine machine = machine();
            plan.commands(1).forEach(machine::apply);
            NodeRef back = join(machine, 17);
            for (ZoneRow row : plan.tables().zones()) {
                machine.apply(new Command.Returned(row.zone(), row.epoch(), back, 1, 1, CopyState.WHOLE));
                machine.apply(new Command.Owned(row.zone(), row.epoch(), back));
                ZoneRow now = machine.zone(row.zone());
                boolean isUsedUp = row.zone() == 1 && !isServed;
                assertTrue(now != null && now.state() == (isUsedUp ? ZoneState.WAITING : ZoneState.OPEN)
                    && now.isUsedUp() == isUsedUp, () -> "" + now);
            }
            machine.audit();
        }
    }

    @Test
    void damagedCopy_withLaterChanges_isLeftToThePerson() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), backup(18, 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 70)),
            folder(18, tables, new CopyReport(1, 2, 5L << EPOCH_SHIFT | 71, true))), 2);
        assertEquals(Outlook.DOUBTFUL, outlook(plan));
    }

    // ---- numbers ----

    @Test
    void numbers_areAboveAllThatWereSeen() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables, copy(40, 30, 7, 5)), folder(17, tables)), 2);
        assertTrue(plan.tables().nextZone() > 40 && plan.tables().lastSession() >= 11 && plan.tables().version() > 60);
        ZoneRow row = plan.tables().zones().getLast();
        assertTrue(row.zone() == 40 && row.epoch() > 7 && row.nextCopy() > 30);
        MetadataMachine machine = machine();
        plan.commands(1).forEach(part -> assertEquals(new CommandReply.Done(), machine.apply(part)));
        NodeRef life = join(machine, 16);
        assertTrue(life.nid() == 16 && life.incarnation() > 4, life::toString);
        assertTrue(join(machine, 17).incarnation() > 2);
        assertTrue(machine.hasEnded(11) && machine.hasEnded(plan.tables().lastSession()));
        assertEquals(new CommandReply.SessionOpened(plan.tables().lastSession() + 1),
            machine.apply(new Command.ClientOpen(3)));
        CommandReply.Zones given = (CommandReply.Zones) machine.apply(new Command.NewZones(life, 1, 2));
        assertTrue(given.first() > 40, given::toString);
        assertInstanceOf(CommandReply.Joined.class, machine.apply(new Command.Join(new UUID(2, 2), 1, "", Roles.PEER)));
        assertEquals(4, machine.nodesSince(-1).size(), "three folders of before, and a new one");
        machine.audit();
    }

    @Test
    void secondRebuild_isAboveTheFirst_andOlderTablesDoNotCount() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1)));
        RebuildPlan first = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 5))), 2);
        RebuildPlan second = Rebuild.plan(List.of(folder(16, known(first)), folder(17, tables, copy(1, 1, 3, 5))), 2);
        assertEquals(Outlook.SERVED, outlook(second));
        assertTrue(second.tables().zones().getFirst().epoch() > first.tables().zones().getFirst().epoch()
            && second.tables().version() > first.tables().version()
            && second.tables().lastSession() > first.tables().lastSession());
    }

    @Test
    void nids_ofNodesThatJoinedAfterTheLastLook_areNotGivenAgain() {
        KnownTables tables = tables(row(1, 3, new NodeRef(16, 4), backup(17, 1), new Backup(new NodeRef(30, 2), 2)));
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, tables), folder(17, tables, copy(1, 1, 3, 5)), folder(18,
            tables), folder(5, null)), 2);
        assertEquals(Outlook.WAITING, outlook(plan));
        assertEquals(List.of(30), plan.missing().stream().map(NodeRow::nid).toList(), "no table has its row");
        MetadataMachine machine = machine();
        plan.commands(1).forEach(machine::apply);
        machine = new MetadataMachine(machine.state());
        assertEquals(16, join(machine, 16).nid());
        int unknown = join(machine, 5).nid();
        assertTrue(unknown >= 30 + Rebuild.NIDS, "folder without tables: " + unknown);
        int fresh = join(machine, 99).nid();
        assertTrue(fresh >= unknown + Rebuild.NIDS, "new folder: " + fresh);
        assertEquals(fresh + 1, join(machine, 100).nid());
        machine.audit();
    }

    @Test
    void foldersOfTwoClusters_areRefused() {
        KnownTables tables = tables();
        KnownTables others = new KnownTables(70, 1, List.of(new NodeRow(16, 4, true, new UUID(7, 7), 5, "", Roles.PEER,
            3, 2, 1, 3, 41, false)), List.of());
        RebuildPlan plan = Rebuild.plan(List.of(folder(17, tables), folder(18, others)), 2);
        assertTrue(plan.obstacles().getFirst().contains("node 16 has folder "), plan.obstacles()::toString);
    }

    // ---- commands ----

    @Test
    void parts_areTakenInTheirOrder_andNobodyJoinsBeforeTheLast() {
        RebuildPlan plan = largePlan();
        List<Command.ZonesRebuilt> parts = plan.commands(9);
        assertTrue(parts.size() > 2, parts.size() + " parts");
        MetadataMachine machine = machine();
        assertInstanceOf(CommandReply.Refused.class, machine.apply(parts.get(1)));
        for (Command.ZonesRebuilt part : parts) {
            if (part.part() > 0) {
                assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.Join(new UUID(1, 16), 1, "",
                    Roles.PEER)));
                assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClientOpen(1)));
            }
            assertEquals(new CommandReply.Done(), machine.apply(part));
            MachineState state = machine.state();
            assertEquals(new CommandReply.Done(), machine.apply(part), "a repetition");
            assertEquals(state, machine.state());
            assertEquals(state, new MetadataMachine(state).state());
            assertInstanceOf(CommandReply.Refused.class, machine.apply(plan.commands(10).getFirst()),
                "another rebuild");
            machine.audit();
        }
        assertEquals(parts.stream().flatMap(part -> part.tables().zones().stream()).toList(), machine.zonesSince(-1));
        assertEquals(plan.tables().zones(), machine.zonesSince(-1).stream().map(row -> row.at(plan.tables().version()))
            .toList());
        assertEquals(plan.tables().nodes(), machine.nodesSince(-1));
        join(machine, 16);
    }

    @Test
    void readersOfTheTables_betweenParts_getTheRowsOfAllParts() {
        RebuildPlan plan = largePlan();
        MetadataMachine machine = machine();
        Tables reader = new Tables();
        for (Command.ZonesRebuilt part : plan.commands(9)) {
            machine.apply(part);
            reader.update(new TableAnswer(machine.version(), machine.nodesSince(reader.version()),
                machine.zonesSince(reader.version()), machine.sessionsSince(reader.version()),
                machine.superpeersSince(reader.version()), 2, 0));
        }
        assertEquals(machine.zonesSince(-1), reader.zones());
        assertEquals(machine.version(), reader.version());
    }

    @Test
    void clients_beforeTheFirstPartAndBetweenParts_areNotInTheWay_andAreToldNothing() {
        List<Command.ZonesRebuilt> parts = largePlan().commands(9);
        MetadataMachine machine = machine();
        assertEquals(new CommandReply.SessionOpened(1), machine.apply(new Command.ClientOpen(5)));
        for (Command.ZonesRebuilt part : parts) {
            assertEquals(new CommandReply.Done(), machine.apply(part));
            machine.audit();
            boolean isLast = part.part() == parts.size() - 1;
            assertEquals(isLast, machine.isRebuilt());
            assertTrue(machine.hasEnded(1) && machine.openSessions().isEmpty(), "its number was given before the loss");
            for (int zone : new int[] {1, 200, 300}) {
                CommandReply reply = machine.apply(new Command.ZoneSought(zone));
                Class<? extends CommandReply> due =
                    !isLast ? CommandReply.Stale.class : zone == 300 ? CommandReply.Refused.class
                    : CommandReply.Done.class;
                assertEquals(due, reply.getClass(), "zone " + zone);
            }
        }
        CommandReply.SessionOpened opened = (CommandReply.SessionOpened) machine.apply(new Command.ClientOpen(5));
        assertTrue(opened.session() > parts.getFirst().tables().lastSession());
    }

    private static RebuildPlan largePlan() {
        List<ZoneRow> rows = new ArrayList<>();
        IntStream.rangeClosed(1, 200).forEach(zone -> rows.add(row(zone, 3, new NodeRef(16, 4), backup(17, 1))));
        KnownTables tables = tables(rows.toArray(ZoneRow[]::new));
        return Rebuild.plan(List.of(folder(16, tables), folder(17, tables), folder(18, tables)), 2);
    }

    @Test
    void cellWithMetadata_takesNoOthers() {
        MetadataMachine machine = machine();
        join(machine, 30);
        RebuildPlan plan = Rebuild.plan(List.of(folder(16, null, copy(1, 1, 1, 5))), 2);
        assertInstanceOf(CommandReply.Refused.class, machine.apply(plan.commands(1).getFirst()));
        assertFalse(machine.zonesSince(-1).iterator().hasNext());
    }

    @Test
    void foldersOfTwoClusters_areRefused_andThatOfOneGivesTheIdentity() {
        KnownTables tables = new KnownTables(1, 1, List.of(), List.of());
        FolderReport own = new FolderReport("peer-16", new UUID(1, 16), CLUSTER, 2, List.of(), tables);
        FolderReport earlier = new FolderReport("peer-17", new UUID(1, 17), ClusterId.NONE, 2, List.of(), tables);
        ClusterId foreign = new ClusterId(5, 6, "orders");
        FolderReport other = new FolderReport("peer-18", new UUID(1, 18), foreign, 2, List.of(), tables);
        RebuildPlan plan = Rebuild.plan(List.of(earlier, own), 2);
        assertEquals(List.of(), plan.obstacles());
        assertEquals(CLUSTER, plan.tables().cluster());
        assertEquals(CLUSTER, plan.commands(1).getFirst().tables().cluster());
        String obstacle = "the folder of peer-18 belongs to " + foreign + ", and other folders belong to " + CLUSTER;
        assertEquals(List.of(obstacle), Rebuild.plan(List.of(own, other), 2).obstacles());
    }
}
