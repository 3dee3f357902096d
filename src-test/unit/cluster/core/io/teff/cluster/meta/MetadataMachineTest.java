package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Schema;
import io.teff.test.kit.Form;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MetadataMachineTest {
    private static final int SEEDS = Form.size(100, 300, 300);
    private final MetadataMachine machine = machine(3, 2);

    private static MetadataMachine machine(int superpeers, int backups) {
        return new MetadataMachine(MachineState.initial(new MachineState.Settings(superpeers, backups)));
    }

    // ---- nodes ----

    @Test
    void join_repeated_hasTheSameReply() {
        NodeRef node = join(1, 7);
        assertEquals(node, join(1, 7));
        assertEquals(1, node.incarnation());
    }

    @Test
    void join_ofAnotherProcessWithTheFolder_isRefusedUntilTheFirstHasExpired() {
        NodeRef node = join(1, 7);
        CommandReply reply = machine.apply(new Command.Join(folder(1), 8, "", Roles.PEER));
        assertFalse(assertInstanceOf(CommandReply.Refused.class, reply).isFinal());
        machine.apply(new Command.Ended(node));
        assertEquals(new NodeRef(node.nid(), 2), join(1, 8));
    }

    @Test
    void join_thatIsRefused_marksTheLifeThatIsWaitedFor_once() {
        NodeRef node = join(1, 7);
        assertFalse(machine.nodesSince(0).getFirst().isContested());
        machine.apply(new Command.Join(folder(1), 8, "", Roles.PEER));
        assertTrue(machine.nodesSince(0).getFirst().isContested());
        long version = machine.version();
        machine.apply(new Command.Join(folder(1), 8, "", Roles.PEER));
        machine.apply(new Command.Join(folder(1), 9, "", Roles.PEER));
        assertEquals(version, machine.version());
        assertTrue(machine.isAlive(node));
        machine.apply(new Command.Ended(node));
        join(1, 8);
        assertFalse(machine.nodesSince(0).getFirst().isContested(), "of another life");
    }

    @Test
    void join_ofAClient_hasAnIdOfItsOwnRange() {
        NodeRef peer = join(1, 7);
        NodeRef client = ((CommandReply.Joined) machine.apply(new Command.Join(folder(2), 8, "", Roles.CLIENT))).node();
        assertTrue(peer.nid() < MetadataMachine.NID_FIRST_CLIENT, peer.toString());
        assertTrue(client.nid() >= MetadataMachine.NID_FIRST_CLIENT, client.toString());
    }

    @Test
    void join_ofAClientWhenIdsAreUsedUp_takesThatOfTheClientThatExpiredFirst() {
        int count = MetadataMachine.NID_LAST - MetadataMachine.NID_FIRST_CLIENT + 1;
        List<NodeRef> clients = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            clients.add(((CommandReply.Joined) machine.apply(new Command.Join(folder(i), i, "", Roles.CLIENT))).node());
        }
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.Join(folder(-1), 1, "", Roles.CLIENT)));
        machine.apply(new Command.Ended(clients.get(900)));
        machine.apply(new Command.Ended(clients.get(500)));
        NodeRef next = ((CommandReply.Joined) machine.apply(new Command.Join(folder(-1), 1, "", Roles.CLIENT))).node();
        assertEquals(new NodeRef(clients.get(900).nid(), 2), next);
        machine.audit();
    }

    /** The NID of a peer is that of its folder for ever: none is given to another folder. */
    @Test
    void join_ofAPeerWhenIdsAreUsedUp_isRefusedForGood_andKnownFoldersComeBack() {
        int count = MetadataMachine.NID_FIRST_CLIENT - MetadataMachine.NID_FIRST;
        NodeRef first = join(0, 1);
        for (int i = 1; i < count; i++) {
            join(i, i);
        }
        machine.apply(new Command.Ended(first));
        CommandReply.Refused refused =
            (CommandReply.Refused) machine.apply(new Command.Join(folder(-1), 1, "", Roles.PEER));
        assertTrue(refused.isFinal(), "it need not try again");
        assertTrue(refused.reason().startsWith("all " + count + " node ids of peers belong to other folders"),
            refused.reason());
        assertEquals(new NodeRef(first.nid(), 2), join(0, 2));
        machine.audit();
    }

    @Test
    void vote_ofAMinority_changesNothing_ofAMajority_expires() {
        NodeRef node = join(1, 7);
        machine.apply(new Command.Vote(0, 0, node));
        machine.apply(new Command.Vote(0, 0, node));
        assertTrue(machine.isAlive(node));
        machine.apply(new Command.Vote(2, 0, node));
        assertFalse(machine.isAlive(node));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Vote(1, 0, node)));
    }

    @Test
    void superpeerLife_itsEarlierVotesCountNoLonger() {
        NodeRef node = join(1, 7);
        machine.apply(new Command.Vote(0, 0, node));
        machine.apply(new Command.SuperpeerLife(0, 0, 77));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Vote(0, 0, node)),
            "a vote of the earlier life");
        machine.apply(new Command.Vote(1, 0, node));
        assertTrue(machine.isAlive(node));
        machine.apply(new Command.Vote(0, 77, node));
        assertFalse(machine.isAlive(node));
    }

    @Test
    void superpeerLife_repeated_keepsItsVotes() {
        NodeRef node = join(1, 7);
        machine.apply(new Command.SuperpeerLife(0, 0, 77));
        machine.apply(new Command.Vote(0, 77, node));
        machine.apply(new Command.SuperpeerLife(0, 0, 77));
        assertEquals(1, machine.state().votes().size());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.SuperpeerLife(3, 0, 77)));
    }

    /** The announcement of a process that has ended, or one that was sent again, may be applied after the next one. */
    @Test
    void superpeerLife_thatComesLate_makesNoEarlierLifeCount() {
        NodeRef node = join(1, 7);
        machine.apply(new Command.SuperpeerLife(0, 0, 77));
        machine.apply(new Command.SuperpeerLife(0, 77, 79));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.SuperpeerLife(0, 0, 77)), "sent again");
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.SuperpeerLife(0, 0, 75)),
            "of another process");
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Vote(0, 77, node)));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.Vote(0, 79, node)));
        assertEquals(1, machine.state().votes().size());
    }

    // ---- zones ----

    @Test
    void newZones_repeated_givesTheSameOnes() {
        List<NodeRef> peers = peers(4);
        CommandReply first = machine.apply(new Command.NewZones(peers.get(0), 1, 8));
        assertEquals(new CommandReply.Zones(1, 8), first);
        assertEquals(first, machine.apply(new Command.NewZones(peers.get(0), 1, 8)));
        assertEquals(new CommandReply.Zones(9, 2), machine.apply(new Command.NewZones(peers.get(0), 2, 2)));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.NewZones(peers.get(0), 1, 8)));
        machine.audit();
    }

    @Test
    void newZones_ofAFewNodes_haveAsManyBackupsAsThereAre() {
        List<NodeRef> peers = peers(2);
        machine.apply(new Command.NewZones(peers.get(0), 1, 1));
        assertEquals(List.of(peers.get(1)), machine.zone(1).backups().stream().map(Backup::node).toList());
    }

    @Test
    void newZones_whenIdsRunOut_givesTheRest() {
        List<NodeRef> peers = peers(1);
        long request = 1;
        int given = 0;
        while (given < ZoneRow.ZONE_MAX) {
            CommandReply.Zones zones =
                (CommandReply.Zones) machine.apply(new Command.NewZones(peers.get(0), request++, 1_000));
            given += zones.count();
        }
        long version = machine.version();
        CommandReply reply = machine.apply(new Command.NewZones(peers.get(0), request, 5));
        assertEquals(new CommandReply.Refused("all 65533 zones of a cluster are given", false), reply);
        assertEquals(version, machine.version(), "a peer that asks again and again changes nothing");
        machine.audit();
    }

    @Test
    void backupFailed_leavesItOutAtTheNextEpoch_butNotTheLastOne() {
        List<NodeRef> peers = peers(3);
        machine.apply(new Command.NewZones(peers.get(0), 1, 1));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.BackupFailed(1, 1, peers.get(1))));
        assertEquals(2, machine.zone(1).epoch());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.BackupFailed(1, 1, peers.get(2))));
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.BackupFailed(1, 2, peers.get(2))));
        assertEquals(1, machine.zone(1).backups().size());
    }

    @Test
    void backupFailed_ofTheLastOneWhileTheOwnerRestores_makesItASpare_untilTheZoneIsServed() {
        List<NodeRef> peers = peers(3);
        machine.apply(new Command.NewZones(peers.get(0), 1, 1));
        machine.apply(new Command.Ended(peers.get(0)));
        fenced(1, peers.get(1), 9);
        fenced(1, peers.get(2), 5);
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.BackupFailed(1, 2, peers.get(2))));
        ZoneRow row = machine.zone(1);
        assertEquals(3, row.epoch());
        assertEquals(ZoneState.RESTORING, row.state());
        assertEquals(List.of(), row.backups());
        assertEquals(peers.get(2), row.spares().getFirst().node());
        MetadataMachine other = new MetadataMachine(machine.state());
        other.apply(new Command.Ended(peers.get(1)));
        assertEquals(ZoneState.FENCING, other.zone(1).state(), "it has every acknowledged change");
        assertTrue(other.zone(1).hasBackup(peers.get(2)));
        machine.apply(new Command.Owned(1, 3, peers.get(1)));
        machine.apply(new Command.Ended(peers.get(1)));
        assertEquals(ZoneState.WAITING, machine.zone(1).state(), "it lacks what the owner has served");
        assertEquals(List.of(new Backup(peers.get(1), 1)), machine.zone(1).kept());
        machine.audit();
    }

    // ---- owners that cannot restore ----

    /** Returns a machine whose zone 1 peer 1 restores, with copy 1; peer 2 is the backup, with copy 2. */
    private List<NodeRef> restoring(long lastOfTheBackup) {
        List<NodeRef> peers = peers(3);
        machine.apply(new Command.NewZones(peers.get(0), 1, 1));
        machine.apply(new Command.Ended(peers.get(0)));
        fenced(1, peers.get(1), 9);
        fenced(1, peers.get(2), lastOfTheBackup);
        assertEquals(peers.get(1), machine.zone(1).owner());
        return peers;
    }

    @Test
    void cannotRestore_forLackOfMemory_anotherCandidateIsChosen_andTheOwnerIsABackupAgain() {
        List<NodeRef> peers = restoring(9);
        Command refused = new Command.CannotRestore(1, 2, peers.get(1), 1, Hindrance.MEMORY, 100, 60);
        assertInstanceOf(CommandReply.Done.class, machine.apply(refused));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(refused), "repeated");
        assertEquals(ZoneState.FENCING, machine.zone(1).state());
        assertEquals(3, machine.zone(1).epoch());
        fenced(1, peers.get(1), 9);
        fenced(1, peers.get(2), 9);
        ZoneRow row = machine.zone(1);
        assertEquals(peers.get(2), row.owner());
        assertEquals(List.of(new Backup(peers.get(1), 1)), row.backups());
        machine.apply(new Command.Owned(1, 3, peers.get(2)));
        assertEquals(List.of(), machine.zone(1).obstacles());
        machine.audit();
    }

    @Test
    void cannotRestore_ofAnOwnerWithASurplus_isASpareOfTheNextOne() {
        List<NodeRef> peers = restoring(7);
        machine.apply(new Command.CannotRestore(1, 2, peers.get(1), 1, Hindrance.MEMORY, 100, 60));
        fenced(1, peers.get(1), 9);
        fenced(1, peers.get(2), 7);
        ZoneRow row = machine.zone(1);
        assertEquals(peers.get(2), row.owner());
        assertEquals(List.of(), row.backups());
        assertEquals(List.of(new Backup(peers.get(1), 1)), row.spares());
        machine.audit();
    }

    @Test
    void cannotRestore_ofAll_theLastOneStaysOwner_andTheRowSaysWhatIsMissing() {
        List<NodeRef> peers = restoring(9);
        machine.apply(new Command.CannotRestore(1, 2, peers.get(1), 1, Hindrance.MEMORY, 100L << 20, 60L << 20));
        fenced(1, peers.get(1), 9);
        fenced(1, peers.get(2), 9);
        long before = machine.version();
        Command refused = new Command.CannotRestore(1, 3, peers.get(2), 2, Hindrance.MEMORY, (100L << 20) + 1,
            70L << 20);
        assertInstanceOf(CommandReply.Done.class, machine.apply(refused));
        ZoneRow row = machine.zone(1);
        assertEquals(peers.get(2), row.owner());
        assertEquals(3, row.epoch());
        assertEquals(before + 1, row.version());
        assertEquals("it needs 101 MiB of memory, and the most that a peer with its log has is 70 MiB", row.obstacle());
        machine.apply(refused);
        assertEquals(before + 1, machine.version(), "nothing has changed");
        machine.apply(new Command.Ended(peers.get(1)));
        assertEquals(1, machine.zone(1).obstacles().size());
        machine.audit();
    }

    private Command damaged(int epoch, NodeRef owner) {
        return new Command.CannotRestore(1, epoch, owner, 0, Hindrance.DAMAGE, 0, 0);
    }

    @Test
    void cannotRestore_ofADamagedCopy_theOthersAreCandidates_andTheLastOneKeepsTheZone_whoseRowSaysWhy() {
        List<NodeRef> peers = restoring(9);
        assertInstanceOf(CommandReply.Done.class, machine.apply(damaged(2, peers.get(1))));
        assertEquals(List.of(new Backup(peers.get(2), 2)), machine.zone(1).backups());
        assertNull(machine.zone(1).obstacle());
        fenced(1, peers.get(2), 9);
        long before = machine.version();
        assertInstanceOf(CommandReply.Done.class, machine.apply(damaged(3, peers.get(2))));
        machine.apply(damaged(3, peers.get(2)));
        assertEquals(before + 1, machine.version(), "repeated, it changes nothing");
        ZoneRow row = machine.zone(1);
        assertEquals(peers.get(2), row.owner());
        assertEquals(ZoneState.RESTORING, row.state());
        assertEquals(3, row.epoch());
        assertEquals("the copy of " + peers.get(2) + " is damaged, and no other node that lives has one",
            row.obstacle());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.CannotRestore(1, 3, peers.get(2), 9,
            Hindrance.DISK, 0, 0)), "there is no such copy");
        machine.audit();
        MetadataMachine other = new MetadataMachine(machine.state());
        machine.apply(new Command.Owned(1, 3, peers.get(2)));
        assertNull(machine.zone(1).obstacle(), "it could be read after all");
        machine.audit();
        other.apply(new Command.Ended(peers.get(2)));
        assertEquals(ZoneState.WAITING, other.zone(1).state(), "its last candidate is dead");
        assertEquals("it waits for the copy of " + peers.get(2) + ": no node that lives has all of its changes",
            other.zone(1).obstacle());
        NodeRef back = join(other, 3, 70);
        assertInstanceOf(CommandReply.Done.class,
            other.apply(new Command.Returned(1, 4, back, 2, 9, CopyState.DAMAGED)));
        assertEquals(ZoneState.LOST, other.zone(1).state(), "its last copy is damaged");
        other.audit();
    }

    @Test
    void cannotRestore_ofADamagedCopyWhileTheOthersAreHindered_makesThemCandidates() {
        List<NodeRef> peers = restoring(9);
        machine.apply(new Command.CannotRestore(1, 2, peers.get(1), 1, Hindrance.MEMORY, 100, 60));
        fenced(1, peers.get(1), 9);
        fenced(1, peers.get(2), 9);
        assertInstanceOf(CommandReply.Done.class, machine.apply(damaged(3, peers.get(2))));
        assertEquals(List.of(new Backup(peers.get(1), 1)), machine.zone(1).backups());
        fenced(1, peers.get(1), 9);
        assertEquals(peers.get(1), machine.zone(1).owner());
        machine.audit();
    }

    @Test
    void cannotRestore_becauseOfTheDisk_anotherCandidateIsChosen_ifThereIsOne() {
        List<NodeRef> peers = restoring(9);
        machine.apply(new Command.CannotRestore(1, 2, peers.get(1), 1, Hindrance.DISK, 0, 0));
        fenced(1, peers.get(1), 9);
        fenced(1, peers.get(2), 9);
        assertEquals(peers.get(2), machine.zone(1).owner());
        assertTrue(machine.zone(1).hasBackup(peers.get(1)));
        machine.apply(new Command.CannotRestore(1, 3, peers.get(2), 2, Hindrance.DISK, 0, 0));
        assertEquals(peers.get(2), machine.zone(1).owner());
        assertEquals("node 17/1 cannot read its log now: its disk is full, or fails; node 18/1 cannot read its log now:"
            + " its disk is full, or fails", machine.zone(1).obstacle());
        machine.audit();
    }

    @Test
    void zoneSought_isAnsweredByWhatTheLogHas() {
        List<NodeRef> peers = peers(2);
        long version = machine.version();
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ZoneSought(1)));
        assertEquals(version, machine.version());
        machine.apply(new Command.NewZones(peers.get(0), 1, 1));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.ZoneSought(1)));
    }

    @Test
    void zoneFull_isKeptThroughARecovery() {
        List<NodeRef> peers = peers(3);
        machine.apply(new Command.NewZones(peers.get(0), 1, 1));
        machine.apply(new Command.ZoneFull(1, 1));
        assertEquals(ZoneState.FULL, machine.zone(1).state());
        machine.apply(new Command.Ended(peers.get(0)));
        fenced(1, peers.get(1), 5);
        fenced(1, peers.get(2), 5);
        machine.apply(new Command.Owned(1, 2, peers.get(1)));
        assertEquals(ZoneState.FULL, machine.zone(1).state());
    }

    // ---- recovery ----

    @Test
    void expiryOfAnOwner_theMostAdvancedBackupRestores() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(0)));
        assertEquals(ZoneState.FENCING, machine.zone(1).state());
        assertNull(machine.zone(1).owner());
        fenced(1, peers.get(1), 5);
        assertEquals(ZoneState.FENCING, machine.zone(1).state());
        fenced(1, peers.get(2), 7);
        assertEquals(peers.get(2), machine.zone(1).owner());
        assertEquals(ZoneState.RESTORING, machine.zone(1).state());
        assertTrue(machine.zone(1).hasBackup(peers.get(1)));
        machine.apply(new Command.Owned(1, 2, peers.get(2)));
        assertEquals(ZoneState.OPEN, machine.zone(1).state());
        machine.audit();
    }

    @Test
    void reports_ofHighEpochs_areComparedAsUnsigned() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(0)));
        fenced(1, peers.get(1), 3L << 48 | 9);
        fenced(1, peers.get(2), 40_000L << 48 | 7);
        assertEquals(peers.get(2), machine.zone(1).owner());
    }

    @Test
    void hedge_withoutAReport_isRefused_withOne_leavesTheOthersAsSpares() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(0)));
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.Hedge(1, 2)));
        fenced(1, peers.get(1), 5);
        machine.apply(new Command.Hedge(1, 2));
        assertEquals(peers.get(1), machine.zone(1).owner());
        assertTrue(machine.zone(1).backups().isEmpty());
        machine.apply(new Command.Ended(peers.get(1)));
        assertEquals(ZoneState.FENCING, machine.zone(1).state(), "the spare has every acknowledged change");
        assertTrue(machine.zone(1).hasBackup(peers.get(2)));
    }

    @Test
    void served_theSparesAreForgotten() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(0)));
        fenced(1, peers.get(1), 5);
        machine.apply(new Command.Hedge(1, 2));
        machine.apply(new Command.Owned(1, 2, peers.get(1)));
        machine.apply(new Command.Ended(peers.get(1)));
        assertEquals(ZoneState.WAITING, machine.zone(1).state());
        assertEquals(List.of(), machine.zone(1).backups());
        machine.audit();
    }

    @Test
    void expiryOfTheNewOwner_theRestIsFencedAnew() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(0)));
        fenced(1, peers.get(1), 5);
        fenced(1, peers.get(2), 5);
        machine.apply(new Command.Ended(peers.get(1)));
        assertEquals(ZoneState.FENCING, machine.zone(1).state());
        assertEquals(3, machine.zone(1).epoch());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Owned(1, 2, peers.get(1))));
    }

    @Test
    void expiryOfABackupDuringTheRestore_theOwnerGoesOnAtTheNextEpoch() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(0)));
        fenced(1, peers.get(1), 5);
        fenced(1, peers.get(2), 5);
        machine.apply(new Command.Ended(peers.get(2)));
        assertEquals(ZoneState.RESTORING, machine.zone(1).state());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Owned(1, 2, peers.get(1))));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.Owned(1, 3, peers.get(1))));
        machine.audit();
    }

    @Test
    void restartedBackup_countsForNothing() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(1)));
        NodeRef again = join(2, 99);
        assertEquals(peers.get(1).nid(), again.nid());
        assertFalse(machine.zone(1).hasBackup(again));
        machine.apply(new Command.Ended(peers.get(0)));
        assertInstanceOf(CommandReply.Stale.class,
            machine.apply(new Command.Fenced(1, machine.zone(1).epoch(), again, 9)));
    }

    // ---- new backups ----

    @Test
    void addBackup_makesALearner_thatIsNoCandidate() {
        List<NodeRef> peers = ownerOfOneZone(3);
        NodeRef fourth = join(4, 7);
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.AddBackup(1, 1)), "it has its backups");
        machine.apply(new Command.Ended(peers.get(1)));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.AddBackup(1, 1)));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.AddBackup(1, 2)));
        assertEquals(List.of(new Backup(fourth, 3)), machine.zone(1).learners());
        assertEquals(3, machine.zone(1).epoch());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.AddBackup(1, 2)), "the same one again");
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.AddBackup(1, 3)));
        machine.audit();
        machine.apply(new Command.Ended(peers.get(0)));
        assertEquals(List.of(peers.get(2)), machine.zone(1).backups().stream().map(Backup::node).toList());
        assertTrue(machine.zone(1).learners().isEmpty());
        machine.audit();
    }

    @Test
    void learned_makesTheLearnerABackup_once() {
        List<NodeRef> peers = ownerOfOneZone(3);
        machine.apply(new Command.Ended(peers.get(1)));
        NodeRef again = join(2, 99);
        machine.apply(new Command.AddBackup(1, 2));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Learned(1, 2, again)), "an old epoch");
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Learned(1, 3, peers.get(2))),
            "no learner");
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.Learned(1, 3, again)));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.Learned(1, 4, again)));
        assertEquals(new Backup(again, 3), machine.zone(1).backup(again));
        assertTrue(machine.zone(1).learners().isEmpty());
        machine.apply(new Command.Ended(peers.get(2)));
        machine.apply(new Command.Ended(peers.get(0)));
        assertEquals(List.of(again), machine.zone(1).backups().stream().map(Backup::node).toList());
        machine.audit();
    }

    @Test
    void learner_thatExpires_orFails_isForgotten() {
        List<NodeRef> peers = ownerOfOneZone(3);
        NodeRef fourth = join(4, 7);
        machine.apply(new Command.Ended(peers.get(1)));
        machine.apply(new Command.AddBackup(1, 2));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.BackupFailed(1, 3, fourth)));
        assertTrue(machine.zone(1).learners().isEmpty());
        machine.apply(new Command.AddBackup(1, 4));
        assertEquals(List.of(new Backup(fourth, 4)), machine.zone(1).learners(), "a copy is never used again");
        machine.apply(new Command.Ended(fourth));
        assertTrue(machine.zone(1).learners().isEmpty());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.AddBackup(1, 6)), "no node is left");
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.BackupFailed(1, 6, peers.get(2))));
        machine.audit();
    }

    @Test
    void addBackup_doesNotChooseANodeThatTheOwnerExcludes() {
        List<NodeRef> peers = ownerOfOneZone(3);
        NodeRef fourth = join(4, 7);
        NodeRef fifth = join(5, 7);
        machine.apply(new Command.Ended(peers.get(1)));
        machine.apply(new Command.AddBackup(1, 2, List.of(fourth)));
        assertEquals(List.of(new Backup(fifth, 3)), machine.zone(1).learners());
        machine.apply(new Command.BackupFailed(1, 3, fifth));
        assertInstanceOf(CommandReply.Refused.class,
            machine.apply(new Command.AddBackup(1, 4, List.of(fourth, fifth))));
        machine.audit();
    }

    @Test
    void addBackup_choosesTheNodeWithTheFewestCopies() {
        List<NodeRef> peers = peers(5);
        machine.apply(new Command.NewZones(peers.get(0), 1, 12));
        machine.apply(new Command.Ended(peers.get(1)));
        NodeRef again = join(2, 99);
        for (ZoneRow row : machine.zonesSince(-1)) {
            machine.apply(new Command.AddBackup(row.zone(), row.epoch()));
        }
        List<ZoneRow> learning = machine.zonesSince(-1).stream().filter(row -> !row.learners().isEmpty()).toList();
        assertFalse(learning.isEmpty());
        learning.forEach(row -> assertEquals(again, row.learners().getFirst().node(), row::toString));
        machine.audit();
    }

    // ---- moves ----

    @Test
    void claimZone_makesTheNodeALearner_thenABackup_thenTheOwner() {
        List<NodeRef> peers = peers(4);
        machine.apply(new Command.NewZones(peers.get(0), 1, 3));
        NodeRef heir = peers.get(3);
        assertFalse(machine.zone(1).hasBackup(heir), machine.zone(1).toString());
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.ClaimZone(1, 1, heir)));
        assertEquals(heir, machine.zone(1).heir());
        assertEquals(2, machine.zone(1).epoch());
        assertEquals(heir, machine.zone(1).learners().getFirst().node());
        assertFalse(machine.zone(1).isHandedOver());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.HandOver(1, 2, peers.get(0))),
            "no backup yet");
        machine.apply(new Command.Learned(1, 2, heir));
        assertEquals(3, machine.zone(1).backups().size());
        assertTrue(machine.zone(1).isHandedOver());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.HandOver(1, 2, peers.get(0))),
            "an old epoch");
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.HandOver(1, 3, heir)), "not the owner");
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.HandOver(1, 3, peers.get(0))));
        assertEquals(ZoneState.FENCING, machine.zone(1).state());
        assertEquals(4, machine.zone(1).epoch());
        assertEquals(heir, machine.zone(1).heir());
        for (NodeRef backup : machine.zone(1).backups().stream().map(Backup::node).toList()) {
            fenced(1, backup, 9);
        }
        assertEquals(heir, machine.zone(1).owner());
        assertEquals(2, machine.zone(1).backups().size());
        assertTrue(machine.isAlive(peers.get(0)));
        machine.apply(new Command.Owned(1, 4, heir));
        assertEquals(ZoneState.OPEN, machine.zone(1).state());
        machine.audit();
    }

    @Test
    void claimZone_ofABackup_keepsTheEpoch_andOneBackupStays() {
        List<NodeRef> peers = peers(3);
        machine.apply(new Command.NewZones(peers.get(0), 1, 3));
        machine.apply(new Command.ClaimZone(1, 1, peers.get(1)));
        assertEquals(1, machine.zone(1).epoch());
        assertTrue(machine.zone(1).isHandedOver());
        machine.apply(new Command.BackupFailed(2, 1, peers.get(1)));
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClaimZone(2, 2, peers.get(2))),
            "it is the only backup");
        machine.audit();
    }

    @Test
    void claimZone_ofANodeThatOwnsAboutAsMany_isRefused() {
        List<NodeRef> peers = peers(4);
        machine.apply(new Command.NewZones(peers.get(0), 1, 3));
        machine.apply(new Command.NewZones(peers.get(1), 1, 2));
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClaimZone(1, 1, peers.get(1))));
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClaimZone(1, 1, peers.get(0))),
            "its own");
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.ClaimZone(1, 1, peers.get(2))));
        int epoch = machine.zone(1).epoch();
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.ClaimZone(1, epoch, peers.get(2))),
            "once more");
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClaimZone(1, epoch, peers.get(3))),
            "it has an heir");
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClaimZone(2, 1, peers.get(2))),
            "what is on its way counts");
        machine.apply(new Command.ZoneFull(2, 1));
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClaimZone(2, 1, peers.get(3))),
            "the only one of its kind");
        machine.audit();
    }

    /** What hands the zone over may still be on its way: it must not be in the epoch in which it is served again. */
    @Test
    void heir_thatExpires_leavesTheZoneToItsOwner_inAnotherEpoch() {
        List<NodeRef> peers = peers(4);
        machine.apply(new Command.NewZones(peers.get(0), 1, 3));
        machine.apply(new Command.ClaimZone(1, 1, peers.get(1)));
        int epoch = machine.zone(1).epoch();
        assertTrue(machine.zone(1).isHandedOver());
        machine.apply(new Command.Ended(peers.get(1)));
        assertNull(machine.zone(1).heir());
        assertEquals(epoch + 1, machine.zone(1).epoch());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.HandOver(1, epoch, peers.get(0))));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.HandOver(1, epoch + 1, peers.get(0))));
        assertTrue(machine.zone(1).isOwnedBy(peers.get(0)));
        machine.audit();
    }

    @Test
    void heir_thatIsTheOnlyBackup_isWaitedFor_untilThereIsAnother() {
        List<NodeRef> peers = peers(4);
        machine.apply(new Command.NewZones(peers.get(0), 1, 3));
        machine.apply(new Command.ClaimZone(1, 1, peers.get(1)));
        assertTrue(machine.zone(1).isHandedOver());
        machine.apply(new Command.Ended(machine.zone(1).backups().getLast().node()));
        assertEquals(peers.get(1), machine.zone(1).heir());
        assertFalse(machine.zone(1).isHandedOver());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.HandOver(1, 2, peers.get(0))));
        machine.apply(new Command.AddBackup(1, 2));
        machine.apply(new Command.Learned(1, 3, machine.zone(1).learners().getFirst().node()));
        assertTrue(machine.zone(1).isHandedOver());
        machine.audit();
    }

    /** The death of the new owner alone must not be the end of the zone. */
    @Test
    void hedge_ofAZoneThatWasHandedOver_leavesABackup() {
        List<NodeRef> peers = peers(4);
        machine.apply(new Command.NewZones(peers.get(0), 1, 3));
        machine.apply(new Command.ClaimZone(1, 1, peers.get(1)));
        machine.apply(new Command.HandOver(1, 1, peers.get(0)));
        NodeRef other = machine.zone(1).backups().getLast().node();
        fenced(1, peers.get(1), 9);
        assertFalse(machine.zone(1).canGoOn());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.Hedge(1, 2)));
        machine.apply(new Command.Ended(other));
        assertEquals(peers.get(1), machine.zone(1).heir());
        fenced(1, peers.get(1), 9);
        assertEquals(ZoneState.RESTORING, machine.zone(1).state());
        assertNull(machine.zone(1).heir());
        machine.audit();
    }

    @Test
    void heir_thatHoldsUpItsOwner_isNoneAnyMore() {
        List<NodeRef> peers = peers(4);
        machine.apply(new Command.NewZones(peers.get(0), 1, 3));
        machine.apply(new Command.ClaimZone(1, 1, peers.get(3)));
        machine.apply(new Command.BackupFailed(1, 2, peers.get(3)));
        assertNull(machine.zone(1).heir());
        assertEquals(3, machine.zone(1).epoch());
        assertTrue(machine.zone(1).learners().isEmpty());
        machine.apply(new Command.ClaimZone(2, 1, peers.get(3)));
        machine.apply(new Command.Ended(peers.get(0)));
        assertNull(machine.zone(2).heir());
        assertEquals(ZoneState.FENCING, machine.zone(2).state());
        machine.audit();
    }

    // ---- determinism ----

    @Test
    void randomCommands_keepTheInvariants_andASnapshotIsAsGoodAsAllCommands() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            MetadataMachine all = machine(1 + random.nextInt(3), random.nextInt(4));
            MetadataMachine restored = new MetadataMachine(all.state());
            for (int i = 0; i < 400; i++) {
                Command command = RandomCommands.next(random, all);
                long before = all.version();
                assertEquals(all.apply(command), restored.apply(command), "reproduce: seed " + seed + " step " + i);
                assertTrue(all.version() >= before);
                try {
                    all.audit();
                } catch (IllegalStateException e) {
                    throw new AssertionError("reproduce: seed " + seed + " step " + i + " " + command, e);
                }
                if (random.nextInt(20) == 0) {
                    restored = new MetadataMachine(restored.state());
                }
            }
            assertEquals(all.state(), restored.state(), "reproduce: seed " + seed);
        }
    }

    @Test
    void rowsSince_areThoseThatChanged() {
        List<NodeRef> peers = peers(3);
        machine.apply(new Command.NewZones(peers.get(0), 1, 4));
        long version = machine.version();
        machine.apply(new Command.ZoneFull(3, 1));
        assertEquals(List.of(3), machine.zonesSince(version).stream().map(ZoneRow::zone).toList());
        assertTrue(machine.nodesSince(version).isEmpty());
    }

    // ---- support ----

    private List<NodeRef> ownerOfOneZone(int count) {
        List<NodeRef> peers = peers(count);
        machine.apply(new Command.NewZones(peers.get(0), 1, 1));
        return peers;
    }

    private List<NodeRef> peers(int count) {
        List<NodeRef> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            peers.add(join(1 + i, 7));
        }
        return peers;
    }

    private NodeRef join(int folder, long start) {
        return join(machine, folder, start);
    }

    private static NodeRef join(MetadataMachine machine, int folder, long start) {
        return ((CommandReply.Joined) machine.apply(new Command.Join(folder(folder), start, "tcp:x",
            Roles.PEER))).node();
    }

    private void fenced(int zone, NodeRef node, long last) {
        assertInstanceOf(CommandReply.Done.class,
            machine.apply(new Command.Fenced(zone, machine.zone(zone).epoch(), node, last)));
    }

    private static UUID folder(int number) {
        return new UUID(1, number);
    }

    // ---- sessions ----

    @Test
    void sessions_haveNumbersThatAreNeverUsedAgain() {
        MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 1)));
        assertNull(machine.sessionsSince(0));
        assertEquals(new CommandReply.SessionOpened(1), machine.apply(new Command.ClientOpen(70)));
        assertEquals(new CommandReply.SessionOpened(2), machine.apply(new Command.ClientOpen(71)));
        assertEquals(new CommandReply.SessionOpened(1), machine.apply(new Command.ClientOpen(70)), "a repetition");
        assertEquals(new Sessions(2, 3, List.of(1, 2)), machine.sessionsSince(1));
        assertNull(machine.sessionsSince(2));
        assertEquals(new CommandReply.Done(), machine.apply(new Command.ClientGone(2)));
        assertEquals(new CommandReply.Stale(), machine.apply(new Command.ClientGone(2)), "a repetition");
        assertEquals(new CommandReply.Stale(), machine.apply(new Command.ClientGone(9)));
        assertTrue(machine.hasEnded(2) && !machine.hasEnded(1) && !machine.hasEnded(3));
        MetadataMachine restored = new MetadataMachine(machine.state());
        assertEquals(new CommandReply.SessionOpened(3), restored.apply(new Command.ClientOpen(71)));
        assertEquals(new CommandReply.SessionOpened(1), restored.apply(new Command.ClientOpen(70)));
        assertEquals(List.of(1, 3), restored.openSessions());
        restored.audit();
    }

    @Test
    void firstIdentity_isThatOfTheCluster_alsoAfterASnapshotAndARebuild() {
        MetadataMachine founded = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
        assertFalse(founded.cluster().isKnown());
        ClusterId first = new ClusterId(1, 2, "orders");
        assertEquals(new CommandReply.Done(), founded.apply(new Command.Founded(first)));
        assertEquals(new CommandReply.Done(), founded.apply(new Command.Founded(new ClusterId(3, 4, ""))));
        assertEquals(first, founded.cluster());
        assertEquals(first, new MetadataMachine(founded.state()).cluster());
        MetadataMachine rebuilt = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
        rebuilt.apply(new Command.ZonesRebuilt(1, 0, 1,
            new RebuiltTables(first, 1L << 32, 1, 80, 1, List.of(), List.of())));
        assertEquals(first, rebuilt.cluster());
    }

    /** The state of a version without sessions. */
    private record EarlierState(MachineState.Settings settings, long version, int nextZone, List<NodeRow> nodes,
                                List<ZoneRow> zones, List<MachineState.Ballot> votes, List<Long> lives) {}

    @Test
    void state_ofAVersionWithoutSessions_isRead() {
        Schema<EarlierState> earlier = Schema.of(EarlierState.class);
        Output out = Output.growing(100);
        earlier.write(new EarlierState(new MachineState.Settings(1, 2), 7, 3, List.of(), List.of(), List.of(),
            List.of(5L)), out);
        byte[] bytes = out.toByteArray();
        MachineState state = Schema.of(MachineState.class).readerOf(earlier.description())
            .read(new Input(bytes, 0, bytes.length));
        assertEquals(new MachineState(new MachineState.Settings(1, 2), 7, 3, List.of(), List.of(), List.of(),
            List.of(5L), 0, 0, List.of()), state);
        assertEquals(new CommandReply.SessionOpened(1), new MetadataMachine(state).apply(new Command.ClientOpen(1)));
    }
}
