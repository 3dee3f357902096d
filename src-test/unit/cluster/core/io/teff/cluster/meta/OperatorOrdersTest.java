package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The orders of persons: unloading of peers, moves of zones, and peers that are gone for good. */
final class OperatorOrdersTest {
    private final MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
    private final List<NodeRef> nodes = new ArrayList<>();

    @AfterEach
    void audit() {
        machine.audit();
    }

    private NodeRef join(int folder) {
        return ((CommandReply.Joined) machine.apply(new Command.Join(new UUID(1, folder), folder + 10L, "tcp:x",
            Roles.PEER))).node();
    }

    /** Makes peers, of which the first one owns a zone. */
    private ZoneRow cluster(int peers) {
        for (int i = 0; i < peers; i++) {
            nodes.add(join(i));
        }
        machine.apply(new Command.NewZones(nodes.getFirst(), 1, 1));
        return row();
    }

    private ZoneRow row() {
        return machine.zonesSince(0).getFirst();
    }

    private void done(Command command) {
        assertEquals(new CommandReply.Done(), machine.apply(command), command::toString);
    }

    private String refusal(Command command) {
        return assertInstanceOf(CommandReply.Refused.class, machine.apply(command)).reason();
    }

    // ---- unloading ----

    @Test
    void unload_withoutPeersForEachCopy_isRefused() {
        cluster(3);
        assertEquals("a zone needs an owner and 2 backups, and 2 other peers take zones",
            refusal(new UnloadNode(nodes.getFirst(), true)));
        join(3);
        done(new UnloadNode(nodes.getFirst(), true));
        assertTrue(refusal(new UnloadNode(nodes.get(1), true)).contains("2 other peers"), "one peer less takes zones");
    }

    @Test
    void unload_ofAnEarlierLife_isStale_andTheNextLifeIsAnOrdinaryPeer() {
        cluster(4);
        NodeRef first = nodes.get(3);
        done(new UnloadNode(first, true));
        done(new Command.Ended(first));
        assertEquals(new CommandReply.Stale(), machine.apply(new UnloadNode(first, true)));
        NodeRef next = join(3);
        assertEquals(first.nid(), next.nid());
        assertFalse(machine.nodesSince(0).stream().anyMatch(NodeRow::isUnloaded));
    }

    @Test
    void backupOfAnUnloadedPeer_counts_untilAnotherHasEverything() {
        ZoneRow row = cluster(5);
        NodeRef left = row.backups().getFirst().node();
        done(new UnloadNode(left, true));
        assertTrue(row().hasBackup(left));
        done(new Command.AddBackup(row.zone(), row().epoch()));
        NodeRef learner = row().learners().getFirst().node();
        assertNotEquals(left, learner);
        assertTrue(row().hasBackup(left));
        done(new Command.Learned(row.zone(), row().epoch(), learner));
        assertEquals(List.of(row.backups().getLast().node(), learner), row().backups().stream().map(Backup::node)
            .toList());
        assertTrue(refusal(new Command.AddBackup(row.zone(), row().epoch())).contains("has its backups"));
    }

    @Test
    void unloadedPeer_isNoNewBackup_andGetsNoZones() {
        ZoneRow row = cluster(4);
        NodeRef left = nodes.stream().filter(node -> !row.isOwnedBy(node) && !row.hasBackup(node)).findFirst()
            .orElseThrow();
        done(new UnloadNode(left, true));
        done(new Command.BackupFailed(row.zone(), row.epoch(), row.backups().getFirst().node()));
        assertTrue(refusal(new Command.AddBackup(row.zone(), row().epoch(), List.of(row.backups().getFirst().node())))
            .contains("no other node"));
        assertTrue(refusal(new Command.NewZones(left, 1, 1)).contains("zones for a node"));
        assertTrue(refusal(new ZoneSent(row.zone(), row().epoch(), left)).contains("takes no zones"));
    }

    @Test
    void unload_ofALearnerAndHeir_endsBoth() {
        ZoneRow row = cluster(5);
        NodeRef heir = nodes.stream().filter(node -> !row.isOwnedBy(node) && !row.hasBackup(node)).findFirst()
            .orElseThrow();
        done(new ZoneSent(row.zone(), row.epoch(), heir));
        assertEquals(heir, row().heir());
        int epoch = row().epoch();
        done(new UnloadNode(heir, true));
        assertEquals(null, row().heir());
        assertEquals(List.of(), row().learners());
        assertEquals(epoch + 1, row().epoch(), "a command that hands the zone over is of an earlier epoch");
    }

    // ---- moves ----

    @Test
    void send_toAPeerWithAsManyZones_movesTheZone_andAnOldEpochIsStale() {
        ZoneRow row = cluster(4);
        NodeRef to = row.backups().getFirst().node();
        machine.apply(new Command.NewZones(to, 1, 1));
        assertTrue(refusal(new Command.ClaimZone(row.zone(), row.epoch(), to)).contains("it owns as many"));
        assertEquals(new CommandReply.Stale(), machine.apply(new ZoneSent(row.zone(), row.epoch() + 1, to)));
        done(new ZoneSent(row.zone(), row.epoch(), to));
        assertEquals(to, machine.zone(row.zone()).heir());
        done(new ZoneSent(row.zone(), row.epoch(), to));
    }

    // ---- peers that are gone for good ----

    @Test
    void unbind_ofALivingPeer_orOneWithANeededCopy_isRefused() {
        ZoneRow row = cluster(4);
        NodeRef backup = row.backups().getFirst().node();
        assertTrue(refusal(new UnbindNode(backup)).contains("runs"));
        done(new Command.Ended(backup));
        assertEquals("zone " + row.zone() + " needs the copy of node " + backup.nid(),
            refusal(new UnbindNode(backup)), "the owner has not acknowledged a change without the copy yet");
        done(new Command.DoWithout(row.zone(), row().epoch()));
        assertFalse(row().outdated().isEmpty());
        done(new UnbindNode(backup));
        assertEquals(List.of(), row().outdated());
        done(new UnbindNode(backup));
    }

    @Test
    void forgottenPeer_isInNoList_andItsFolderIsANewPeer() {
        cluster(4);
        NodeRef gone = nodes.getLast();
        done(new Command.Ended(gone));
        machine.zonesSince(0).forEach(row -> machine.apply(new Command.DoWithout(row.zone(), row.epoch())));
        done(new UnbindNode(gone));
        assertEquals(1, machine.nodesSince(0).stream().filter(NodeRow::isForgotten).count());
        NodeRef again = join(3);
        assertNotEquals(gone.nid(), again.nid(), "an unused NID comes first");
        MetadataMachine restored = new MetadataMachine(machine.state());
        restored.audit();
        assertEquals(machine.state(), restored.state());
    }

    @Test
    void nidOfAForgottenPeer_isGivenAgain_whenNoOtherIsLeft() {
        cluster(4);
        NodeRef gone = nodes.getLast();
        done(new Command.Ended(gone));
        machine.zonesSince(0).forEach(row -> machine.apply(new Command.DoWithout(row.zone(), row.epoch())));
        done(new UnbindNode(gone));
        for (int folder = 4; folder < MetadataMachine.NID_FIRST_CLIENT - MetadataMachine.NID_FIRST; folder++) {
            join(folder);
        }
        NodeRef next = join(-1);
        assertEquals(new NodeRef(gone.nid(), gone.incarnation() + 1), next);
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.Join(new UUID(1, -2), 1, "",
            Roles.PEER)));
    }
}
