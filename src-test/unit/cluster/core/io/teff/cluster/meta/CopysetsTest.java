package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Goal: few copysets, in different racks, with equal shares of copies, and still as many peers that share a recovery as
 * the scatter width says. Method: the machine places zones of clusters of many sizes, widths and racks, before and
 * after deaths; the audit of the machine compares its index with the rows.
 */
class CopysetsTest {
    private static MetadataMachine cluster(int peers, int backups, int width, int racks, int zones) {
        MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, backups)));
        assertEquals(new CommandReply.Done(), machine.apply(new ZoneWidth(width)));
        for (int i = 0; i < peers; i++) {
            join(machine, i, racks == 0 ? "" : "rack-" + i % racks);
        }
        for (NodeRow node : machine.nodesSince(-1)) {
            machine.apply(new Command.NewZones(node.reference(), 1, zones));
        }
        machine.audit();
        return machine;
    }

    private static NodeRef join(MetadataMachine machine, int folder, String rack) {
        return assertInstanceOf(CommandReply.Joined.class, machine.apply(new ZoneSite(new Command.Join(
            new UUID(1, folder), folder + 1_000L * machine.version(), "tcp:x", Roles.PEER), rack))).node();
    }

    private static Set<List<Integer>> sets(MetadataMachine machine) {
        Set<List<Integer>> sets = new HashSet<>();
        machine.zonesSince(-1).forEach(row -> sets.add(Copysets.Holding.of(row).set()));
        return sets;
    }

    private static Map<Integer, Set<Integer>> neighbours(MetadataMachine machine) {
        Map<Integer, Set<Integer>> near = new HashMap<>();
        for (List<Integer> set : sets(machine)) {
            for (int nid : set) {
                near.computeIfAbsent(nid, _ -> new HashSet<>()).addAll(set);
            }
        }
        near.forEach((nid, others) -> others.remove(nid));
        return near;
    }

    private static int surplus(MetadataMachine machine, ZoneRow row) {
        Map<Integer, NodeRow> nodes = new HashMap<>();
        machine.nodesSince(-1).forEach(node -> nodes.put(node.nid(), node));
        return Racks.surplus(Copysets.Holding.of(row).set().stream().map(nodes::get).toList());
    }

    /** Restores all zones without an owner, and gives all zones their backups again. */
    private static void repair(MetadataMachine machine, int backups) {
        for (ZoneRow row : machine.zonesSince(-1)) {
            if (row.state() == ZoneState.FENCING) {
                row.backups().forEach(backup -> machine.apply(new Command.Fenced(row.zone(), row.epoch(),
                    backup.node(), 1)));
                ZoneRow chosen = Objects.requireNonNull(machine.zone(row.zone()));
                machine.apply(new Command.Owned(row.zone(), chosen.epoch(), Objects.requireNonNull(chosen.owner())));
            }
        }
        for (ZoneRow before : machine.zonesSince(-1)) {
            ZoneRow row = before;
            while (row.state().isServed() && row.backups().size() < backups
                && machine.apply(new Command.AddBackup(row.zone(), row.epoch())) instanceof CommandReply.Done) {
                ZoneRow learning = Objects.requireNonNull(machine.zone(row.zone()));
                machine.apply(new Command.Learned(row.zone(), learning.epoch(),
                    learning.learners().getFirst().node()));
                row = Objects.requireNonNull(machine.zone(row.zone()));
            }
        }
        machine.audit();
    }

    @Test
    void newZones_ofManySizes_haveFewCopysets_andTheWantedWidth() {
        for (int backups = 1; backups <= 3; backups++) {
            for (int width : new int[] {6, 10, 20}) {
                for (int peers : new int[] {width + 2, 40, 100}) {
                    MetadataMachine machine = cluster(peers, backups, width, 0, 2 * width);
                    String what = peers + " peers, " + backups + " backups, width " + width + ": ";
                    int copies = backups + 1;
                    int few = peers * width / (copies * backups);
                    int found = sets(machine).size();
                    assertTrue(found <= 2 * few, what + found + " copysets, of about " + few);
                    Map<NodeRef, Integer> counts = new HashMap<>();
                    machine.zonesSince(-1).forEach(row -> row.backups().forEach(backup ->
                        counts.merge(backup.node(), 1, Integer::sum)));
                    for (Set<Integer> near : neighbours(machine).values()) {
                        assertTrue(near.size() >= width - backups && near.size() <= 2 * width, what + near.size()
                            + " neighbours");
                    }
                    int mean = 2 * width * backups;
                    counts.forEach((node, count) -> assertTrue(count <= 2 * mean, what + node + " has " + count
                        + " copies, the mean is " + mean));
                }
            }
        }
    }

    @Test
    void newZones_ofAnOwner_areRestoredByAsManyPeersAsTheWidth() {
        MetadataMachine machine = cluster(60, 2, 20, 0, 40);
        for (NodeRow node : machine.nodesSince(-1)) {
            Set<NodeRef> first = new HashSet<>();
            machine.zonesSince(-1).stream().filter(row -> row.isOwnedBy(node.reference()))
                .forEach(row -> first.add(row.backups().getFirst().node()));
            assertTrue(first.size() >= 16, node.nid() + " is restored by " + first.size());
        }
    }

    @Test
    void newZones_inRacks_shareARackOnlyIfThereAreTooFew() {
        for (int racks = 2; racks <= 7; racks++) {
            for (int peers : new int[] {12, 30, 61}) {
                for (int width : new int[] {0, 8}) {
                    MetadataMachine machine = cluster(peers, 2, width, racks, 24);
                    for (ZoneRow row : machine.zonesSince(-1)) {
                        assertEquals(Math.max(0, 3 - racks), surplus(machine, row), row + " with " + racks + " racks");
                    }
                }
            }
        }
    }

    @Test
    void deaths_leaveFewCopysets_andCopiesInDifferentRacks() {
        for (int seed = 0; seed < 6; seed++) {
            Random random = new Random(seed);
            int racks = random.nextInt(2) * 5;
            MetadataMachine machine = cluster(50, 2, 10, racks, 20);
            int before = sets(machine).size();
            for (int death = 0; death < 10; death++) {
                List<NodeRow> alive = machine.nodesSince(-1).stream().filter(NodeRow::isAlive).toList();
                machine.apply(new Command.Ended(alive.get(random.nextInt(alive.size())).reference()));
                repair(machine, 2);
            }
            int after = sets(machine).size();
            assertTrue(after <= before * 3 / 2, "seed " + seed + ": " + before + " copysets became " + after);
            for (ZoneRow row : machine.zonesSince(-1)) {
                assertEquals(2, row.backups().size(), "seed " + seed);
                assertEquals(0, racks == 0 ? 0 : surplus(machine, row), "seed " + seed + " " + row);
            }
        }
    }

    @Test
    void wholeRack_thatEnds_takesNoZone() {
        MetadataMachine machine = cluster(30, 2, 10, 5, 20);
        machine.nodesSince(-1).stream().filter(node -> node.rack().equals("rack-3"))
            .forEach(node -> machine.apply(new Command.Ended(node.reference())));
        for (ZoneRow row : machine.zonesSince(-1)) {
            assertTrue(row.backups().size() + (row.owner() == null ? 0 : 1) >= 2, row.toString());
        }
        repair(machine, 2);
        machine.zonesSince(-1).forEach(row -> assertEquals(0, surplus(machine, row), row.toString()));
    }

    // ---- plans for present zones ----

    private static List<SpreadPlan.Move> plan(MetadataMachine machine, int width) {
        return SpreadPlan.of(machine.nodesSince(-1), machine.zonesSince(-1), 2, width);
    }

    private static void take(MetadataMachine machine, List<SpreadPlan.Move> moves) {
        for (SpreadPlan.Move move : moves) {
            ZoneRow row = Objects.requireNonNull(machine.zone(move.zone()));
            NodeRef to = move.to();
            if (to != null) {
                assertEquals(new CommandReply.Done(), machine.apply(new ZoneSpread(row.zone(), row.epoch(), to, true)),
                    move + " of " + row);
                row = Objects.requireNonNull(machine.zone(move.zone()));
                machine.apply(new Command.Learned(row.zone(), row.epoch(), to));
                row = Objects.requireNonNull(machine.zone(move.zone()));
                assertTrue(row.backups().size() >= 2);
            }
            if (move.from() != null) {
                assertEquals(new CommandReply.Done(), machine.apply(new ZoneSpread(row.zone(), row.epoch(),
                    move.from(), false)), move + " of " + row);
            }
        }
        machine.audit();
    }

    @Test
    void plan_ofZonesAtTheirPlaces_isEmpty() {
        for (int racks : new int[] {0, 3, 5}) {
            for (int peers : new int[] {6, 30, 60}) {
                MetadataMachine machine = cluster(peers, 2, 10, racks, 20);
                assertEquals(List.of(), plan(machine, 10), peers + " peers in " + racks + " racks");
            }
        }
    }

    @Test
    void plan_afterRacksWereNamed_bringsTheCopiesIntoDifferentRacks_andMovesNoOwner() {
        MetadataMachine machine = named(cluster(9, 2, 0, 0, 16), 3);
        List<SpreadPlan.Move> moves = plan(machine, 0);
        assertFalse(moves.isEmpty());
        Map<Integer, NodeRef> owners = new HashMap<>();
        machine.zonesSince(-1).forEach(row -> owners.put(row.zone(), row.owner()));
        take(machine, moves);
        for (ZoneRow row : machine.zonesSince(-1)) {
            assertEquals(0, surplus(machine, row), row.toString());
            assertEquals(2, row.backups().size());
            assertEquals(owners.get(row.zone()), row.owner());
        }
        assertEquals(List.of(), plan(machine, 0));
    }

    /** Returns a machine with the rows of another one, whose nodes have named their racks since. */
    private static MetadataMachine named(MetadataMachine machine, int racks) {
        MachineState state = machine.state();
        List<NodeRow> nodes = state.nodes().stream().map(row -> new NodeRow(row.nid(), row.incarnation(),
            row.isAlive(), row.folder(), row.start(), row.address(), row.roles(), row.zonesGiven(), row.request(),
            row.firstGiven(), row.countGiven(), row.version(), row.isContested(), "rack-" + row.nid() % racks))
            .toList();
        return new MetadataMachine(new MachineState(state.settings(), state.version(), state.nextZone(), nodes,
            state.zones(), state.votes(), state.lives(), state.sessionsVersion(), state.lastSession(),
            state.sessions()));
    }

    @Test
    void plan_forAWidth_leavesFewCopysets() {
        MetadataMachine machine = cluster(40, 2, 0, 4, 20);
        int before = sets(machine).size();
        assertEquals(new CommandReply.Done(), machine.apply(new ZoneWidth(8)));
        take(machine, plan(machine, 8));
        int after = sets(machine).size();
        assertTrue(after <= 3 * 40 * 8 / 6, before + " copysets became " + after);
        machine.zonesSince(-1).forEach(row -> assertEquals(0, surplus(machine, row), row.toString()));
        assertEquals(List.of(), plan(machine, 8));
    }

    @Test
    void plan_ofAMoveThatWasNotFinished_takesTheBackupBeyondTheNumber() {
        MetadataMachine machine = cluster(6, 2, 0, 3, 4);
        ZoneRow row = machine.zonesSince(-1).getFirst();
        NodeRef other = machine.nodesSince(-1).stream().map(NodeRow::reference)
            .filter(node -> !row.isOwnedBy(node) && !row.hasBackup(node)).findFirst().orElseThrow();
        take(machine, List.of(new SpreadPlan.Move(row.zone(), other, null)));
        List<SpreadPlan.Move> moves = plan(machine, 0);
        assertEquals(1, moves.size(), moves.toString());
        take(machine, moves);
        assertEquals(List.of(), plan(machine, 0));
    }

    // ---- orders ----

    @Test
    void spread_ofTheLastBackupThatIsWanted_isRefused() {
        MetadataMachine machine = cluster(4, 2, 0, 0, 1);
        ZoneRow row = machine.zonesSince(-1).getFirst();
        NodeRef backup = row.backups().getFirst().node();
        CommandReply.Refused refused = assertInstanceOf(CommandReply.Refused.class,
            machine.apply(new ZoneSpread(row.zone(), row.epoch(), backup, false)));
        assertEquals("zone 1 has no backup beyond the wanted number", refused.reason());
        assertEquals(new CommandReply.Stale(), machine.apply(new ZoneSpread(row.zone(), row.epoch() + 1, backup,
            false)));
    }

    @Test
    void width_inFrontOfTheFirstCommand_isKept_andLaterOneIsAVersion() {
        MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2, 99)));
        assertEquals(0, machine.settings().scatterWidth(), "only the log sets the width");
        machine.apply(new ZoneWidth(7));
        assertEquals(0, machine.version());
        assertEquals(new CommandReply.Done(), machine.apply(new Command.Begin(1, 2)));
        assertEquals(new MachineState.Settings(1, 2, 7), machine.settings());
        long version = machine.version();
        machine.apply(new ZoneWidth(8));
        assertEquals(version + 1, machine.version());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new ZoneWidth(-1)));
        assertEquals(8, new MetadataMachine(machine.state()).settings().scatterWidth());
    }

    @Test
    void claim_thatWouldPutTwoCopiesIntoARack_isRefused() {
        MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
        List<NodeRef> nodes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            nodes.add(join(machine, i, "rack-" + i % 3));
        }
        machine.apply(new Command.NewZones(nodes.getFirst(), 1, 8));
        int taken = 0;
        for (ZoneRow row : machine.zonesSince(-1)) {
            CommandReply reply = machine.apply(new Command.ClaimZone(row.zone(), row.epoch(), nodes.get(4)));
            taken += reply instanceof CommandReply.Done ? 1 : 0;
            assertEquals(row.hasBackup(nodes.get(4)), reply instanceof CommandReply.Done, row + ": " + reply);
        }
        assertTrue(taken > 0, "no zone was taken");
        ZoneRow free = machine.zonesSince(-1).stream().filter(row -> row.heir() == null).findFirst().orElseThrow();
        assertEquals(new CommandReply.Done(), machine.apply(new Command.ClaimZone(free.zone(), free.epoch(),
            nodes.get(3))), "the other peer of the owner's rack");
    }

    @Test
    void vacantZone_isOpenAgain() {
        MetadataMachine machine = cluster(3, 2, 0, 0, 1);
        ZoneRow row = machine.zonesSince(-1).getFirst();
        machine.apply(new Command.ZoneFull(row.zone(), row.epoch()));
        assertEquals(new CommandReply.Done(), machine.apply(new ZoneVacant(row.zone(), row.epoch())));
        ZoneRow open = Objects.requireNonNull(machine.zone(row.zone()));
        assertEquals(ZoneState.OPEN, open.state());
        assertEquals(row.epoch(), open.epoch(), "the owner goes on with its numbers");
        assertEquals(new CommandReply.Stale(), machine.apply(new ZoneVacant(row.zone(), row.epoch() + 1)));
    }
}
