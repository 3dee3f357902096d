package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.MachineState;
import io.teff.cluster.meta.MetadataMachine;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.Roles;
import io.teff.cluster.meta.UnloadNode;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneSite;
import io.teff.cluster.meta.ZoneState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: zones come to peers that own few, one after the other, do not move back and forth, and do not become more with
 * restarts. Method: the machine of the metadata, the demands and the claims of all peers, and steps of time in which
 * everything that the rows ask for is done.
 */
final class ZoneClaimsTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int BACKUPS = 2;
    private static final int ZONES = 8;

    private final MetadataMachine machine = new MetadataMachine(MachineState.initial(
        new MachineState.Settings(1, BACKUPS)));
    private final Map<NodeRef, ZoneDemand> demands = new HashMap<>();
    private final Map<NodeRef, ZoneClaims> claims = new HashMap<>();
    private final List<NodeRef> lives = new ArrayList<>();
    private long nowNs;
    private int moves;
    private int starts;
    private int racks;
    private boolean hasRoom = true;
    private @Nullable NodeRef hasNoRoom;

    // ---- the model ----

    private NodeRef join(int folder) {
        Command.Join join = new Command.Join(new UUID(0, folder), ++starts, "", Roles.PEER);
        CommandReply reply = machine.apply(racks == 0 ? join : new ZoneSite(join, "rack-" + folder % racks));
        NodeRef node = ((CommandReply.Joined) reply).node();
        lives.add(node);
        demands.put(node, new ZoneDemand(node, ZONES, BACKUPS, SECOND, nowNs));
        claims.put(node, new ZoneClaims(node, BACKUPS, SECOND, nowNs));
        return node;
    }

    private void end(NodeRef node) {
        machine.apply(new Command.Ended(node));
        lives.remove(node);
    }

    private Tables tables() {
        Tables tables = new Tables();
        tables.update(new TableAnswer(machine.version(), machine.nodesSince(0), machine.zonesSince(0), null, null,
            BACKUPS, 0));
        return tables;
    }

    /** A step of time: peers ask and claim by one state of the tables, then what is wanted is done. */
    private void step() {
        nowNs += SECOND / 4;
        Tables tables = tables();
        List<Command> due = new ArrayList<>();
        for (NodeRef node : lives) {
            Command.NewZones request = demands.get(node).due(tables, tables.zones(), nowNs);
            if (request != null) {
                demands.get(node).replied(request, machine.apply(request), nowNs);
            }
            Command claim = claims.get(node).due(tables, () -> hasRoom && !node.equals(hasNoRoom), nowNs);
            if (claim != null) {
                due.add(claim);
            }
        }
        due.forEach(machine::apply);
        work();
        machine.audit();
    }

    /** Does one step of what each row asks for. */
    private void work() {
        for (ZoneRow row : machine.zonesSince(0)) {
            if (row.state() == ZoneState.FENCING) {
                for (Backup backup : row.backups()) {
                    machine.apply(new Command.Fenced(row.zone(), row.epoch(), backup.node(), 1));
                }
            } else if (row.state() == ZoneState.RESTORING) {
                machine.apply(new Command.Owned(row.zone(), row.epoch(), row.owner()));
            } else if (row.isHandedOver()) {
                moves++;
                machine.apply(new Command.HandOver(row.zone(), row.epoch(), row.owner()));
            } else if (!row.learners().isEmpty()) {
                machine.apply(new Command.Learned(row.zone(), row.epoch(), row.learners().getFirst().node()));
            } else if (row.owner() != null && row.backups().stream().filter(copy -> !isUnloaded(copy.node())).count()
                < BACKUPS) {
                machine.apply(new Command.AddBackup(row.zone(), row.epoch()));
            }
        }
    }

    private boolean isUnloaded(NodeRef node) {
        return machine.nodesSince(0).stream().anyMatch(row -> row.reference().equals(node) && row.isUnloaded());
    }

    private boolean isNamed(NodeRef node) {
        return machine.zonesSince(0).stream().anyMatch(row -> row.isOwnedBy(node) || row.receiver(node) != null);
    }

    private void steps(int seconds) {
        for (int i = 0; i < 4 * seconds; i++) {
            step();
        }
    }

    private int owned(NodeRef node) {
        return (int) machine.zonesSince(0).stream().filter(row -> row.isOwnedBy(node)).count();
    }

    private int zones() {
        return machine.zonesSince(0).size();
    }

    // ---- rules ----

    @Test
    void restarts_addNoZones_andTheNewLifeGetsThoseOfOthers() {
        for (int folder = 0; folder < 4; folder++) {
            join(folder);
        }
        steps(5);
        assertEquals(4 * ZONES, zones());
        Random random = new Random(7);
        for (int restart = 0; restart < 50; restart++) {
            NodeRef victim = lives.get(random.nextInt(lives.size()));
            end(victim);
            steps(1 + random.nextInt(5));
            NodeRef next = join(victim.nid() % 4);
            steps(random.nextInt(4) == 0 ? 60 : random.nextInt(8));
            assertTrue(zones() < 2 * ZONES * 4, zones() + " zones after " + restart + " restarts");
            assertTrue(machine.isAlive(next));
        }
        steps(120);
        assertEquals(4 * ZONES, zones());
        for (NodeRef node : lives) {
            assertTrue(Math.abs(owned(node) - ZONES) <= 1, () -> node + " owns " + owned(node));
        }
        assertTrue(moves > 50, moves + " moves");
    }

    @Test
    void claims_whenZonesAreSpread_come_toAnEnd() {
        for (int folder = 0; folder < 5; folder++) {
            join(folder);
        }
        steps(5);
        NodeRef victim = lives.getLast();
        end(victim);
        steps(5);
        join(4);
        steps(120);
        int before = moves;
        assertTrue(before >= ZONES - 1 && before <= 2 * ZONES, before + " moves");
        steps(600);
        assertEquals(before, moves, "zones move without end");
    }

    /** Peers come and go in three racks; zones move to the peers that come, and no copies come together in a rack. */
    @Test
    void claims_inRacks_keepCopiesApart_andComeToAnEnd() {
        racks = 3;
        for (int folder = 0; folder < 9; folder++) {
            join(folder);
        }
        steps(5);
        for (int restart = 0; restart < 3; restart++) {
            NodeRef victim = lives.get(restart);
            end(victim);
            steps(10);
            NodeRef next = join(victim.nid() % 16 % 9);
            steps(100);
            assertTrue(owned(next) >= ZONES / 2, next + " owns " + owned(next));
            for (ZoneRow row : machine.zonesSince(0)) {
                Set<String> names = new HashSet<>(List.of(rack(row.owner())));
                row.backups().forEach(copy -> names.add(rack(copy.node())));
                assertEquals(1 + row.backups().size(), names.size(), row.toString());
            }
        }
        int before = moves;
        assertTrue(before > 3, before + " moves");
        steps(120);
        assertEquals(before, moves, "zones move without end");
    }

    private String rack(NodeRef node) {
        return machine.nodesSince(0).stream().filter(row -> row.nid() == node.nid()).findFirst().orElseThrow().rack();
    }

    @Test
    void claims_areOneAtATime_andWaitForRest() {
        for (int folder = 0; folder < 4; folder++) {
            join(folder);
        }
        steps(5);
        end(lives.getLast());
        steps(5);
        NodeRef next = join(3);
        int most = 0;
        int last = 0;
        for (int i = 0; i < 400; i++) {
            step();
            most = Math.max(most, (int) machine.zonesSince(0).stream().filter(row -> next.equals(row.heir())).count());
            assertTrue(moves - last <= 1, "two moves in a step");
            last = moves;
        }
        assertEquals(1, most);
        assertTrue(owned(next) >= ZONES - 1, () -> owned(next) + " zones");
    }

    @Test
    void claim_thatComesToNothing_isRepeatedLaterAndLater() {
        for (int folder = 0; folder < 4; folder++) {
            join(folder);
        }
        steps(5);
        end(lives.getLast());
        steps(5);
        NodeRef next = join(3);
        for (int i = 0; i < 20; i++) {                          // until its copies are there
            nowNs += SECOND / 4;
            work();
        }
        List<Long> at = new ArrayList<>();
        for (int i = 0; i < 4 * 900; i++) {
            nowNs += SECOND / 4;
            if (claims.get(next).due(tables(), () -> true, nowNs) != null) {
                at.add(nowNs);
            }
        }
        assertTrue(at.size() > 5 && at.size() < 15, at.size() + " claims");
        for (int i = 2; i < at.size(); i++) {
            assertTrue(at.get(i) - at.get(i - 1) >= Math.min(2 * (at.get(i - 1) - at.get(i - 2)) - SECOND,
                TimeUnit.MINUTES.toNanos(5)), () -> "" + at);
        }
    }

    @Test
    void claim_withoutRoom_isNotMade() {
        for (int folder = 0; folder < 4; folder++) {
            join(folder);
        }
        steps(5);
        end(lives.getLast());
        steps(5);
        hasRoom = false;
        NodeRef next = join(3);
        steps(60);
        assertEquals(0, owned(next));
        hasRoom = true;
        steps(60);
        assertTrue(owned(next) >= ZONES - 1);
    }

    /** A zone that moved would be without a backup; so a peer asks for new ones, up to a bound. */
    @Test
    void zonesOfTwoPeers_doNotMove_andAreBounded() {
        join(0);
        join(1);
        steps(10);
        for (int restart = 0; restart < 10; restart++) {
            NodeRef victim = lives.get(restart % 2);
            end(victim);
            steps(5);
            join(victim.nid() % 2);
            steps(20);
        }
        assertEquals(0, moves);
        assertTrue(zones() <= 2 * 2 * ZONES, () -> zones() + " zones");
    }

    /** A request each time the tables change would be one after the other, as fast as superpeers answer. */
    @Test
    void demand_whenAllZonesAreGiven_restsAndSaysWhy() {
        NodeRef node = join(0);
        ZoneDemand demand = demands.get(node);
        int requests = 0;
        for (int second = 0; second < 600; second++) {
            nowNs += SECOND;
            Command.NewZones request = demand.due(tables(), List.of(), nowNs);
            if (request != null) {
                requests++;
                demand.replied(request, new CommandReply.Refused("all zones are given", false), nowNs);
            }
        }
        assertTrue(requests > 2 && requests <= 20, requests + " requests in ten minutes");
        assertEquals("this peer gets no new zones: all zones are given", demand.problem());
        nowNs += 60 * SECOND;
        Command.NewZones request = demand.due(tables(), List.of(), nowNs);
        assertNotNull(request);
        demand.replied(request, machine.apply(request), nowNs);
        assertNull(demand.problem());
    }

    /** The tables change while a peer looks at them. */
    @Test
    void demand_byRowsOfBeforeTheReply_isNone() {
        NodeRef node = join(0);
        ZoneDemand demand = demands.get(node);
        List<ZoneRow> before = tables().zones();
        nowNs += 60 * SECOND;
        Command.NewZones request = demand.due(tables(), before, nowNs);
        assertNotNull(request);
        demand.replied(request, machine.apply(request), nowNs);
        assertNull(demand.due(tables(), before, nowNs));
        assertNull(demand.due(tables(), tables().zones(), nowNs));
        assertEquals(ZONES, zones());
    }

    @Test
    void demand_ofAClusterWithEnoughOpenZones_isNone() {
        NodeRef first = join(0);
        join(1);
        join(2);
        steps(5);
        assertEquals(3 * ZONES, zones());
        machine.zonesSince(0).stream().filter(row -> row.isOwnedBy(first)).limit(5).toList()
            .forEach(row -> machine.apply(new Command.ZoneFull(row.zone(), row.epoch())));
        steps(1);
        assertEquals(3 * ZONES + 5, zones(), "full zones are replaced");
        assertNotNull(machine.zone(3 * ZONES + 5));
        assertNull(machine.zone(3 * ZONES + 6));
        assertFalse(machine.zonesSince(0).stream().anyMatch(row -> row.heir() != null));
    }

    // ---- unloading ----

    @Test
    void unloadedPeer_hasNothingInTheEnd_andNoZoneHasFewerBackupsMeanwhile() {
        for (int folder = 0; folder < 5; folder++) {
            join(folder);
        }
        steps(5);
        NodeRef left = lives.get(2);
        assertEquals(new CommandReply.Done(), machine.apply(new UnloadNode(left, true)));
        for (int i = 0; i < 4 * 60; i++) {
            step();
            machine.zonesSince(0).forEach(row -> assertTrue(!row.state().isServed() || row.backups().size() >= BACKUPS,
                row::toString));
        }
        assertFalse(isNamed(left), () -> "" + machine.zonesSince(0));
        assertEquals(5 * ZONES, zones(), "an unloaded peer asks for no zones, nor do the others in its place");
        lives.stream().filter(node -> !node.equals(left)).forEach(node -> assertTrue(Math.abs(owned(node) - 10) <= 1,
            () -> node + " owns " + owned(node)));
        int before = moves;
        steps(60);
        assertEquals(before, moves, "nothing moves any more");
        machine.apply(new UnloadNode(left, false));
        steps(120);
        assertTrue(owned(left) >= ZONES - 1, () -> owned(left) + " zones after the end of the unloading");
    }

    @Test
    void unloading_amidKills_comesToItsEnd() {
        Random random = new Random(11);
        for (int folder = 0; folder < 6; folder++) {
            join(folder);
        }
        steps(5);
        NodeRef left = lives.getFirst();
        machine.apply(new UnloadNode(left, true));
        for (int kill = 0; kill < 6; kill++) {
            steps(1 + random.nextInt(3));
            NodeRef victim = lives.get(1 + random.nextInt(lives.size() - 1));
            end(victim);
            steps(random.nextInt(4));
            join((victim.nid() - 16) % 6);
        }
        steps(180);
        assertFalse(isNamed(left), () -> "" + machine.zonesSince(0));
        machine.zonesSince(0).forEach(row -> assertEquals(BACKUPS, row.backups().size(), row::toString));
    }

    @Test
    void unloadedPeersZones_goToPeersWithRoom() {
        for (int folder = 0; folder < 5; folder++) {
            join(folder);
        }
        steps(5);
        NodeRef left = lives.getFirst();
        NodeRef full = lives.getLast();
        machine.apply(new UnloadNode(left, true));
        hasNoRoom = full;
        steps(240);
        assertFalse(isNamed(left), () -> "" + machine.zonesSince(0));
        assertEquals(ZONES, owned(full));
    }
}
