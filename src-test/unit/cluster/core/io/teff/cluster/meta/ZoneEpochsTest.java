package io.teff.cluster.meta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Form;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;

/** What a zone does whose epochs run out: no number is used twice, and no copy that counts is forgotten. */
class ZoneEpochsTest {
    private static final int SEEDS = Form.size(80, 300, 300);
    private static final int STEPS = 400;

    private MetadataMachine machine = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
    private final List<NodeRef> peers = new ArrayList<>();

    /** Makes zone 1 with the owner 0 and the backups 1 and 2, in an epoch. */
    private void open(int epoch) {
        for (int i = 0; i < 4; i++) {
            peers.add(join(i, i));
        }
        machine.apply(new Command.NewZones(peers.getFirst(), 1, 1));
        machine = at(machine, _ -> epoch);
        assertEquals(List.of(new Backup(peers.get(1), 1), new Backup(peers.get(2), 2)), row().backups());
    }

    /** Returns a machine whose zones have other epochs. */
    private static MetadataMachine at(MetadataMachine from, IntUnaryOperator epochs) {
        MachineState it = from.state();
        List<ZoneRow> rows = it.zones().stream().map(row -> new ZoneRow(row.zone(), epochs.applyAsInt(row.zone()),
            row.state(), row.isFull(), row.owner(), row.backups(), row.reports(), row.spares(), row.obstacles(),
            row.nextCopy(), row.version(), row.learners(), row.heir(), row.kept(), row.outdated())).toList();
        return new MetadataMachine(new MachineState(it.settings(), it.version(), it.nextZone(), it.nodes(), rows,
            it.votes(), it.lives(), it.sessionsVersion(), it.lastSession(), it.sessions()));
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

    private void end(int peer) {
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.Ended(peers.get(peer))));
        machine.audit();
    }

    @Test
    void zoneWithFewEpochsLeft_getsNoNewBackups_andDoesNotMove() {
        open(ZoneRow.EPOCH_LAST - ZoneRow.EPOCHS_FOR_FAILURES - 1);
        end(1);
        int epoch = row().epoch();
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.AddBackup(1, epoch)), "the last but one");
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.BackupFailed(1, epoch + 1,
            row().learners().getFirst().node())));
        CommandReply.Refused refused = assertInstanceOf(CommandReply.Refused.class,
            machine.apply(new Command.AddBackup(1, epoch + 2)));
        assertTrue(refused.reason().contains("has had configuration 61440 of 65534"), refused.reason());
        assertTrue(row().isNearItsEnd());
        assertEquals(1, row().backups().size());
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.ClaimZone(1, epoch + 2, peers.get(3))));
        machine.audit();
    }

    @Test
    void lastConfiguration_keepsABackupThatEnds_andNoneIsGivenUp() {
        open(ZoneRow.EPOCH_LAST);
        ZoneRow before = row();
        assertInstanceOf(CommandReply.Refused.class,
            machine.apply(new Command.BackupFailed(1, before.epoch(), peers.get(1))));
        end(1);
        assertEquals(before, row(), "changes wait for it, reads go on");
        peers.set(1, join(1, 77));
        assertEquals(before, row(), "its next life counts for nothing");
        machine.audit();
    }

    @Test
    void ownerOfTheLastConfiguration_thatEnds_leavesAllCopies_andAPersonGivesThemUp() {
        open(ZoneRow.EPOCH_LAST);
        end(2);
        end(0);
        ZoneRow left = row();
        assertTrue(left.isUsedUp());
        assertEquals(ZoneState.WAITING, left.state());
        assertNull(left.owner());
        assertEquals(List.of(new Backup(peers.get(1), 1), new Backup(peers.get(2), 2)), left.kept());
        assertEquals("it has had all of its 65534 configurations, and cannot be served any more", left.obstacle());
        end(1);
        NodeRef back = join(1, 77);
        assertInstanceOf(CommandReply.Refused.class, machine.apply(new Command.Returned(1, left.epoch(), back, 1, 9,
            CopyState.WHOLE)));
        assertEquals(left, row());
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.AcceptLoss(1, left.epoch(), 0, 0)));
        assertEquals(ZoneState.LOST, row().state());
        assertEquals(ZoneRow.EPOCH_MAX, row().epoch());
        machine.audit();
    }

    @Test
    void lastEpoch_thatARecoveryHasTaken_isServed() {
        open(ZoneRow.EPOCH_LAST - 1);
        end(0);
        assertEquals(ZoneRow.EPOCH_LAST, row().epoch());
        for (int peer = 1; peer <= 2; peer++) {
            machine.apply(new Command.Fenced(1, row().epoch(), peers.get(peer), 5));
        }
        assertInstanceOf(CommandReply.Done.class, machine.apply(new Command.Owned(1, row().epoch(), peers.get(1))));
        assertEquals(ZoneState.OPEN, row().state());
        machine.audit();
    }

    @Test
    void recoveryInTheLastEpoch_whoseBackupEnds_keepsTheOwnersCopyToo() {
        open(ZoneRow.EPOCH_LAST - 1);
        end(0);
        for (int peer = 1; peer <= 2; peer++) {
            machine.apply(new Command.Fenced(1, row().epoch(), peers.get(peer), 5));
        }
        assertEquals(ZoneState.RESTORING, row().state());
        end(2);
        assertTrue(row().isUsedUp());
        assertEquals(Set.of(new Backup(peers.get(1), 1), new Backup(peers.get(2), 2)), new HashSet<>(row().kept()));
    }

    @Test
    void randomCommands_nearTheEnd_keepTheInvariants_andNoCopyThatCounts_isForgotten() {
        int ended = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = new Random(seed);
            MetadataMachine all = new MetadataMachine(MachineState.initial(new MachineState.Settings(1, 2)));
            for (int i = 0; i < STEPS / 4; i++) {
                all.apply(RandomCommands.next(random, all));
            }
            all = at(all, _ -> ZoneRow.EPOCH_LAST - random.nextInt(6));
            for (int i = 0; i < STEPS; i++) {
                Command command = RandomCommands.next(random, all);
                List<ZoneRow> before = all.zonesSince(-1);
                CommandReply reply = all.apply(command);
                String reproduce = "reproduce: seed " + seed + " step " + i + ' ' + command + ' ' + reply;
                try {
                    all.audit();
                } catch (IllegalStateException e) {
                    throw new AssertionError(reproduce, e);
                }
                for (ZoneRow row : before) {
                    ended += check(row, all.zone(row.zone()), command, reproduce) ? 1 : 0;
                }
            }
        }
        assertTrue(ended > SEEDS / 2, ended + " zones were used up");
    }

    /** Returns whether a zone has just been used up. */
    private static boolean check(ZoneRow before, ZoneRow after, Command command, String reproduce) {
        assertTrue(after.epoch() >= before.epoch(), reproduce);
        if (before.isUsedUp()) {
            assertTrue(after.equals(before) || command instanceof Command.AcceptLoss
                || after.equals(before.full(after.version())), reproduce);
            return false;
        }
        if (!after.isUsedUp() || before.state() == ZoneState.LOST) {
            return false;
        }
        Set<Integer> counted = new HashSet<>();
        List.of(before.backups(), before.spares(), before.kept()).forEach(list ->
            list.forEach(backup -> counted.add(backup.copy())));
        Set<Integer> left = new HashSet<>();
        after.kept().forEach(backup -> left.add(backup.copy()));
        boolean isGivenUp = command instanceof Command.AcceptLoss || command instanceof Command.Returned
            || command instanceof Command.CannotRestore;
        assertTrue(isGivenUp || left.equals(counted), reproduce + ": " + counted + " counted, " + left + " are left");
        return true;
    }
}
