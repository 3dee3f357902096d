package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Copies on the disks of nodes that have ended: which of them count, and what a zone does that waits for them. */
class ColdStartTest {
    private final MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
    private final List<NodeRef> peers = new ArrayList<>();

    /** Zone 1 has the owner 0, and the backups 1 and 2 with the copies 1 and 2. */
    @BeforeEach
    void makeZone() {
        for (int i = 0; i < 4; i++) {
            peers.add(join(i, i));
        }
        machine.apply(new Command.NewZones(peers.getFirst(), 1, 1));
        assertEquals(List.of(backup(1, 1), backup(2, 2)), row().backups());
    }

    @AfterEach
    void audit() {
        machine.audit();
        assertEquals(machine.state(), new MetadataMachine(machine.state()).state());
    }

    private NodeRef join(int folder, long start) {
        return ((CommandReply.Joined) machine.apply(new Command.Join(new UUID(1, folder), start, "tcp:x",
            Roles.PEER))).node();
    }

    private ZoneRow row() {
        ZoneRow row = machine.zone(1);
        assertTrue(row != null);
        return row;
    }

    private Backup backup(int peer, int copy) {
        return new Backup(peers.get(peer), copy);
    }

    private void end(int... ended) {
        for (int peer : ended) {
            assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.Ended(peers.get(peer))));
            machine.audit();
        }
    }

    /** A node begins its next life. */
    private NodeRef start(int peer) {
        peers.set(peer, join(peer, 100 + machine.version()));
        return peers.get(peer);
    }

    private CommandReply back(int peer, int copy, long last, CopyState state) {
        CommandReply reply = machine.apply(new Command.Returned(1, row().epoch(), peers.get(peer), copy, last, state));
        machine.audit();
        return reply;
    }

    private void fenced(int peer, long last) {
        assertInstanceOf(CommandReply.Done.class,
            machine.apply(new Command.Fenced(1, row().epoch(), peers.get(peer), last)));
    }

    // ---- what is kept ----

    @Test
    void expiryOfBackups_keepsTheirCopies_untilTheOwnerDoesWithoutThem() {
        end(1);
        assertEquals(List.of(backup(1, 1)), row().kept());
        assertEquals(ZoneState.OPEN, row().state());
        int epoch = row().epoch();
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.DoWithout(1, epoch - 1)));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.DoWithout(1, epoch)));
        assertEquals(List.of(), row().kept());
        assertEquals(List.of(backup(1, 1)), row().outdated());
        assertEquals(epoch + 1, row().epoch());
        long version = machine.version();
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.DoWithout(1, epoch)), "a repetition");
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.DoWithout(1, epoch + 1)));
        assertEquals(version, machine.version());
    }

    @Test
    void lastWholeCopy_isKept_whateverTheOwnerAsksFor() {
        end(1, 2);
        assertEquals(List.of(backup(1, 1), backup(2, 2)), row().kept());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.DoWithout(1, row().epoch())));
        assertEquals(List.of(backup(1, 1), backup(2, 2)), row().kept());
        end(0);
        assertEquals(ZoneState.WAITING, row().state());
        start(2);
        back(2, 2, 7, CopyState.WHOLE);
        machine.apply(new Command.Hedge(1, row().epoch()));
        assertTrue(row().isOwnedBy(peers.get(2)));
    }

    @Test
    void lastWholeCopy_isGivenUpByAPerson_andTheOwnerGoesOnAlone() {
        end(1, 2);
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.AcceptLoss(1, row().epoch(), 0, 0)));
        assertEquals(List.of(), row().kept());
        assertEquals(List.of(backup(1, 1), backup(2, 2)), row().outdated());
        assertEquals(ZoneState.OPEN, row().state());
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.AcceptLoss(1, row().epoch(), 0, 0)));
        end(0);
        assertEquals(ZoneState.WAITING, row().state(), "a person decides what is lost");
    }

    @Test
    void newZones_areRefused_whileNoOtherPeerRuns() {
        end(1, 2, 3);
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.NewZones(peers.getFirst(), 2, 1)));
        start(3);
        assertInstanceOf(CommandReply.Zones.class, machine.apply(new Command.NewZones(peers.getFirst(), 2, 1)));
    }

    // ---- nodes that come back while the zone is served ----

    @Test
    void keptCopy_ofANodeThatComesBack_isCaughtUpFrom_andKeptUntilThen() {
        end(1, 2);
        NodeRef again = start(1);
        assertInstanceOf(CommandReply.Done.class, back(1, 1, 0, CopyState.WHOLE));
        assertEquals(List.of(new Backup(again, 1)), row().learners());
        assertEquals(2, row().kept().size());
        assertTrue(row().isResumed(row().learners().getFirst()));
        end(1);
        assertEquals(2, row().kept().size(), "a learner that ends changes nothing");
        again = start(1);
        back(1, 1, 0, CopyState.WHOLE);
        machine.apply(new Command.Learned(1, row().epoch(), again));
        assertEquals(List.of(new Backup(again, 1)), row().backups());
        assertEquals(List.of(2), row().kept().stream().map(Backup::copy).toList());
        end(0);
        assertEquals(ZoneState.FENCING, row().state());
    }

    @Test
    void ownerThatEndsWhileACopyCatchesUp_leavesTheKeptCopy() {
        end(1, 2);
        start(1);
        back(1, 1, 0, CopyState.WHOLE);
        end(0);
        assertEquals(ZoneState.WAITING, row().state());
        back(1, 1, 9, CopyState.WHOLE);
        machine.apply(new Command.Hedge(1, row().epoch()));
        assertTrue(row().isOwnedBy(peers.get(1)));
    }

    @Test
    void outdatedCopy_isCaughtUpFrom_andForgottenIfThatFails() {
        end(1);
        machine.apply(new Command.DoWithout(1, row().epoch()));
        NodeRef again = start(1);
        back(1, 1, 0, CopyState.WHOLE);
        assertEquals(List.of(new Backup(again, 1)), row().learners());
        machine.apply(new Command.BackupFailed(1, row().epoch(), again));
        assertEquals(List.of(), row().learners());
        assertEquals(List.of(), row().outdated());
        assertInstanceOf(CommandReply.Stale.class, back(1, 1, 0, CopyState.WHOLE));
    }

    @Test
    void zoneWithAllItsBackups_hasNoOutdatedCopies_andNoOtherLearner() {
        end(1);
        machine.apply(new Command.DoWithout(1, row().epoch()));
        machine.apply(new Command.AddBackup(1, row().epoch()));
        NodeRef again = start(1);
        back(1, 1, 0, CopyState.WHOLE);
        assertEquals(2, row().learners().size());
        machine.apply(new Command.Learned(1, row().epoch(), again));
        assertEquals(2, row().backups().size());
        assertEquals(List.of(), row().learners());
        assertEquals(List.of(), row().outdated());
    }

    @Test
    void acceptLoss_continuesWithAChosenOutdatedCopy() {
        end(1);
        machine.apply(new Command.DoWithout(1, row().epoch()));
        end(0, 2);
        assertEquals(List.of(backup(2, 2)), row().kept());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.AcceptLoss(1, row().epoch(), 17, 1)),
            "the node does not run");
        NodeRef again = start(1);
        assertInstanceOf(CommandReply.Refused.class,
            machine.apply(new Command.AcceptLoss(1, row().epoch(), again.nid(), 2)), "another copy");
        assertInstanceOf(CommandReply.Done.class,
            machine.apply(new Command.AcceptLoss(1, row().epoch(), again.nid(), 1)));
        assertEquals(ZoneState.FENCING, row().state());
        fenced(1, 3);
        assertTrue(row().isOwnedBy(again));
        machine.apply(new Command.Owned(1, row().epoch(), again));
        assertEquals(List.of(new Backup(again, 1)), row().kept());
    }

    @Test
    void doWithout_aCopyThatComesBackLater_countsForNothing() {
        end(1);
        machine.apply(new Command.DoWithout(1, row().epoch()));
        end(0, 2);
        assertEquals(List.of(backup(2, 2)), row().kept());
        start(1);
        assertInstanceOf(CommandReply.Stale.class, back(1, 1, 9, CopyState.WHOLE));
        assertEquals(ZoneState.WAITING, row().state());
    }

    @Test
    void backupThatTheOwnerHasGivenUp_isNotKept() {
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.BackupFailed(1, 1, peers.get(1))));
        end(1);
        assertEquals(List.of(), row().kept());
        assertEquals(List.of(backup(1, 1)), row().outdated());
        machine.apply(new Command.AddBackup(1, row().epoch()));
        NodeRef learner = row().learners().getFirst().node();
        end(peers.indexOf(learner));
        assertEquals(List.of(), row().kept(), "a learner lacks what was there before it");
    }

    @Test
    void zoneWithAllItsBackupsAgain_keepsNoCopy() {
        end(1);
        machine.apply(new Command.AddBackup(1, row().epoch()));
        machine.apply(new Command.Learned(1, row().epoch(), row().learners().getFirst().node()));
        assertEquals(2, row().backups().size());
        assertEquals(List.of(), row().kept());
    }

    // ---- waiting ----

    @Test
    void endOfAll_inAnyOrder_keepsEveryCopy() {
        for (int[] order : new int[][] {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {1, 0, 2}}) {
            MetadataMachine other = new MetadataMachine(machine.state());
            for (int peer : order) {
                other.apply(new Command.Ended(peers.get(peer)));
                other.audit();
            }
            ZoneRow row = other.zone(1);
            assertTrue(row != null && row.state() == ZoneState.WAITING);
            assertEquals(2, row.kept().size());
            assertNull(row.owner());
        }
    }

    @Test
    void allCopiesThatComeBack_theMostAdvancedIsTheOwner_andTheOtherItsBackup() {
        end(0, 1, 2);
        start(2);
        start(1);
        back(2, 2, 7, CopyState.WHOLE);
        assertEquals(ZoneState.WAITING, row().state(), "the other may come back, and be its backup");
        back(1, 1, 5, CopyState.WHOLE);
        assertEquals(ZoneState.RESTORING, row().state());
        assertTrue(row().isOwnedBy(peers.get(2)));
        assertEquals(List.of(backup(1, 1)), row().backups());
        assertEquals(List.of(backup(2, 2)), row().kept(), "the owner's own copy");
        machine.apply(new Command.Owned(1, row().epoch(), peers.get(2)));
        assertEquals(ZoneState.OPEN, row().state());
        assertEquals(List.of(), row().kept());
    }

    @Test
    void equalCopies_theFirstBackupOfBeforeIsTheOwner_inWhateverOrderTheyComeBack() {
        end(0, 1, 2);
        start(1);
        start(2);
        back(2, 2, 7, CopyState.WHOLE);
        back(1, 1, 7, CopyState.WHOLE);
        assertTrue(row().isOwnedBy(peers.get(1)));
    }

    @Test
    void aMoreAdvancedCopy_isTheOwner_andOneThatIsAheadOfIt_isNone() {
        end(0, 1, 2);
        start(1);
        back(1, 1, 5, CopyState.WHOLE);
        assertTrue(row().canGoOn());
        machine.apply(new Command.Hedge(1, row().epoch()));
        assertEquals(ZoneState.RESTORING, row().state(), "one whole copy is enough");
        assertEquals(List.of(backup(2, 2), backup(1, 1)), row().kept());
        start(2);
        assertInstanceOf(CommandReply.Stale.class, back(2, 2, 9, CopyState.WHOLE));
        machine.apply(new Command.Owned(1, row().epoch(), peers.get(1)));
        assertEquals(List.of(backup(1, 1)), row().kept(), "the owner has no backup, and its copy has everything");
        end(1);
        assertEquals(ZoneState.WAITING, row().state());
        assertInstanceOf(CommandReply.Stale.class, back(2, 2, 9, CopyState.WHOLE), "the zone was served without it");
        start(1);
        back(1, 1, 5, CopyState.WHOLE);
        assertTrue(row().isOwnedBy(peers.get(1)));
    }

    @Test
    void returned_onlyOfTheKeptCopyOfThisNode_andOnce() {
        end(0, 1, 2);
        start(3 - 2);
        assertInstanceOf(CommandReply.Stale.class, back(1, 2, 5, CopyState.WHOLE), "another copy");
        assertInstanceOf(CommandReply.Stale.class, back(3, 1, 5, CopyState.WHOLE), "another node");
        assertInstanceOf(CommandReply.Stale.class,
            machine.apply(new Command.Returned(1, row().epoch() - 1, peers.get(1), 1, 5, CopyState.WHOLE)));
        back(1, 1, 5, CopyState.WHOLE);
        long version = machine.version();
        assertInstanceOf(CommandReply.Done.class, back(1, 1, 5, CopyState.WHOLE), "a repetition");
        assertEquals(version, machine.version());
    }

    @Test
    void candidateThatEndsAgain_isWaitedForAgain() {
        end(0, 1, 2);
        start(1);
        back(1, 1, 5, CopyState.CUT);
        end(1);
        assertEquals(List.of(backup(2, 2), new Backup(peers.get(1), 1, true)), row().kept());
        start(1);
        back(1, 1, 5, CopyState.WHOLE);
        assertTrue(row().backups().getFirst().isCut(), "what a power cut has taken is still gone");
    }

    @Test
    void ownerThatRestores_andEnds_isWaitedForAgain() {
        end(0, 1, 2);
        start(1);
        back(1, 1, 5, CopyState.WHOLE);
        machine.apply(new Command.Hedge(1, row().epoch()));
        end(1);
        assertEquals(ZoneState.WAITING, row().state());
        assertEquals(List.of(backup(2, 2), backup(1, 1)), row().kept());
    }

    @Test
    void survivors_areEnough() {
        end(1, 0);
        assertEquals(ZoneState.FENCING, row().state());
        start(1);
        assertInstanceOf(CommandReply.Stale.class, back(1, 1, 9, CopyState.WHOLE));
        fenced(2, 4);
        assertTrue(row().isOwnedBy(peers.get(2)));
    }

    // ---- power cuts ----

    @Test
    void copiesThatMayHaveLostTheirEnd_areWaitedFor_andTheMostAdvancedIsTheOwner() {
        end(0, 1, 2);
        start(1);
        start(2);
        back(1, 1, 5, CopyState.CUT);
        assertFalse(row().canGoOn());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.Hedge(1, row().epoch())));
        back(2, 2, 8, CopyState.CUT);
        assertTrue(row().isOwnedBy(peers.get(2)));
        machine.apply(new Command.Owned(1, row().epoch(), peers.get(2)));
        assertEquals(List.of(backup(1, 1)), row().backups(), "no longer one that may have lost its end");
    }

    @Test
    void aCutCopy_besideAWholeOne_isTheOwnerOnlyIfItHasAsMuch() {
        end(0, 1, 2);
        start(1);
        start(2);
        back(1, 1, 5, CopyState.CUT);
        back(2, 2, 8, CopyState.WHOLE);
        assertTrue(row().isOwnedBy(peers.get(2)));
        NodeRef whole = peers.get(2);
        machine.apply(new Command.CannotRestore(1, row().epoch(), whole, 2, Hindrance.MEMORY, 100, 1));
        assertEquals(ZoneState.FENCING, row().state(), "now the other one has everything, too");
        fenced(1, 8);
        fenced(2, 8);
        assertTrue(row().isOwnedBy(peers.get(1)));
    }

    @Test
    void aCutCopyWithoutTheRest_isNotChosen_ifTheWholeOneIsHindered() {
        end(0, 1, 2);
        start(1);
        start(2);
        back(2, 2, 8, CopyState.WHOLE);
        machine.apply(new Command.Hedge(1, row().epoch()));
        machine.apply(new Command.CannotRestore(1, row().epoch(), peers.get(2), 2, Hindrance.DISK, 0, 0));
        assertTrue(row().isOwnedBy(peers.get(2)), "there is no other candidate");
        end(2);
        back(1, 1, 5, CopyState.CUT);
        assertEquals(ZoneState.WAITING, row().state());
        start(2);
        back(2, 2, 8, CopyState.WHOLE);
        assertTrue(row().isOwnedBy(peers.get(2)));
    }

    // ---- what does not come back ----

    @Test
    void damagedCopies_areGivenUp_andTheLastOneLosesTheZone() {
        end(0, 1, 2);
        start(1);
        start(2);
        back(1, 1, 0, CopyState.DAMAGED);
        assertEquals(List.of(backup(2, 2).copy()), row().kept().stream().map(Backup::copy).toList());
        MetadataMachine other = new MetadataMachine(machine.state());
        back(2, 2, 0, CopyState.DAMAGED);
        assertEquals(ZoneState.LOST, row().state());
        other.apply(new Command.Returned(1, row().epoch() - 1, peers.get(2), 2, 3, CopyState.CUT));
        ZoneRow last = other.zone(1);
        assertTrue(last != null && last.isOwnedBy(peers.get(2)), "all others are damaged");
    }

    @Test
    void acceptLoss_goesOnWithWhatHasComeBack() {
        end(0, 1, 2);
        start(1);
        back(1, 1, 5, CopyState.CUT);
        int epoch = row().epoch();
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.AcceptLoss(1, epoch - 1, 0, 0)));
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.AcceptLoss(1, epoch, 0, 0)));
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.AcceptLoss(1, epoch, 0, 0)),
            "a repetition");
        assertEquals(ZoneState.FENCING, row().state());
        fenced(1, 5);
        assertTrue(row().isOwnedBy(peers.get(1)));
    }

    @Test
    void acceptLoss_ofAZoneOfWhichNothingHasComeBack_losesIt_andOnlyOneThatWaits() {
        assertInstanceOf(CommandReply.Stale.class, machine.apply(new Command.AcceptLoss(1, row().epoch(), 0, 0)),
            "it is served, and has its backups");
        end(0, 1, 2);
        machine.apply(new Command.AcceptLoss(1, row().epoch(), 0, 0));
        assertEquals(ZoneState.LOST, row().state());
        start(1);
        assertInstanceOf(CommandReply.Stale.class, back(1, 1, 5, CopyState.WHOLE));
    }

    @Test
    void damageFoundWhileRestoring_othersAreWaitedFor() {
        end(0, 1, 2);
        start(1);
        back(1, 1, 5, CopyState.WHOLE);
        machine.apply(new Command.Hedge(1, row().epoch()));
        machine.apply(new Command.CannotRestore(1, row().epoch(), peers.get(1), 0, Hindrance.DAMAGE, 0, 0));
        assertEquals(ZoneState.WAITING, row().state());
        assertEquals(List.of(backup(2, 2)), row().kept());
        start(2);
        back(2, 2, 5, CopyState.WHOLE);
        assertTrue(row().isOwnedBy(peers.get(2)));
    }
}
