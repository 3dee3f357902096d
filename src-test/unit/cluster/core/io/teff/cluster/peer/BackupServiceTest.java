package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CopyState;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunAnswer.Kind;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.recovery.backup.ZoneCopy;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class BackupServiceTest {
    private static final NodeRef OWNER = new NodeRef(16, 3);
    private static final NodeRef OTHER = new NodeRef(17, 1);
    private static final NodeRef SELF = new NodeRef(18, 2);
    private static final ZoneRow OPEN = Rows.row(5, 1, ZoneState.OPEN, OWNER, SELF, OTHER);

    private final MemoryCopyLog log = new MemoryCopyLog();
    private final List<RunAnswer> answers = new ArrayList<>();
    private int messages;
    private Tables tables = Rows.tables(OPEN);
    private BackupService service = service();

    private BackupService service() {
        return new BackupService(SELF, log, tables, (_, next) -> {
            answers.addAll(next);
            messages++;
        }, failure -> {
            throw failure;
        });
    }

    private RunAnswer send(NodeRef owner, int epoch, long first, int count) {
        return send(owner, epoch, first, count, 1, SELF.incarnation());
    }

    private RunAnswer send(NodeRef owner, int epoch, long first, int count, int copy, int incarnation) {
        MemorySegment message = RunBytes.message(new Run(5, copy, epoch, first, count), owner, incarnation, false);
        service.run(owner.nid(), message, 0, (int) message.byteSize());
        return answers.getLast();
    }

    private static long number(int epoch, long counter) {
        return ZoneNumber.of(epoch, counter);
    }

    @Test
    void run_thatContinuesTheCopy_isLoggedBeforeItIsAcknowledged() {
        RunAnswer answer = send(OWNER, 1, number(1, 1), 3);
        assertEquals(new RunAnswer(Kind.ACKNOWLEDGED, 5, 1, 1, SELF, OWNER.incarnation(), number(1, 3), 0), answer);
        assertEquals(number(1, 3), log.logged(new ZoneCopy(5, 1)));
        assertEquals(number(1, 3), send(OWNER, 1, number(1, 2), 2).logged(), "a repeated run changes nothing");
        assertEquals(number(1, 5), send(OWNER, 1, number(1, 3), 3).logged(), "known records are skipped");
    }

    @Test
    void run_behindAGap_isNotTaken() {
        send(OWNER, 1, number(1, 1), 2);
        RunAnswer answer = send(OWNER, 1, number(1, 4), 2);
        assertEquals(Kind.GAP, answer.kind());
        assertEquals(number(1, 2), answer.logged());
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)));
    }

    /** A new backup gets runs before it gets the row that names it. */
    @Test
    void copy_ofARowThatHasNotArrived_isNotDroppedByAnOlderOne() {
        tables = Rows.tables(Rows.row(5, 1, ZoneState.OPEN, OWNER, OTHER));
        service = service();
        assertEquals(Kind.ACKNOWLEDGED, send(OWNER, 2, number(1, 1), 2).kind());
        service.dropUnneeded(tables.zone(5));
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)));
        assertEquals(Kind.ACKNOWLEDGED, send(OWNER, 2, number(2, 3), 1).kind());
        service.dropUnneeded(Rows.row(5, 3, ZoneState.OPEN, OWNER, OTHER));
        assertEquals(0, log.logged(new ZoneCopy(5, 1)));
    }

    @Test
    void run_whileTheLogHasNoRoom_isTakenLater() {
        log.full(true);
        assertEquals(Kind.LATER, send(OWNER, 1, number(1, 1), 2).kind());
        assertEquals(0, service.last(5));
        log.full(false);
        assertEquals(Kind.ACKNOWLEDGED, send(OWNER, 1, number(1, 1), 2).kind());
    }

    @Test
    void run_ofAnOldEpoch_isRefusedAfterAFence() {
        tables = new Tables();                                  // this node has not seen the row yet
        service = service();
        send(OWNER, 1, number(1, 1), 2);
        ZoneRow fencing = Rows.row(5, 2, ZoneState.FENCING, null, SELF, OTHER);
        assertEquals(number(1, 2), service.fence(fencing, fencing.backups().getFirst()));
        RunAnswer answer = send(OWNER, 1, number(1, 3), 1);
        assertEquals(Kind.STALE, answer.kind());
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)), "nothing was added after the report");
        assertEquals(Kind.ACKNOWLEDGED, send(OTHER, 2, number(2, 3), 1).kind());
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 3), 1).kind());
    }

    @Test
    void run_ofAnOwnerThatTheRowHasDeposed_isRefused() {
        send(OWNER, 1, number(1, 1), 2);
        tables.update(Rows.row(5, 2, ZoneState.FENCING, null, SELF, OTHER));
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 3), 1).kind());
        tables.update(Rows.row(5, 3, ZoneState.RESTORING, OTHER, SELF));
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 3), 1).kind());
        assertEquals(Kind.ACKNOWLEDGED, send(OTHER, 3, number(1, 3), 1).kind());
    }

    @Test
    void run_ofAChosenOwner_isTaken_beforeTheRowIsHere() {
        send(OWNER, 1, number(1, 1), 2);
        tables.update(Rows.row(5, 2, ZoneState.FENCING, null, SELF, OTHER));
        assertEquals(Kind.ACKNOWLEDGED, send(OTHER, 2, number(2, 3), 1).kind());
    }

    @Test
    void run_ofALowerEpochOfTheSameOwner_isTaken() {
        tables.update(Rows.row(5, 2, ZoneState.OPEN, OWNER, SELF));
        assertEquals(Kind.ACKNOWLEDGED, send(OWNER, 1, number(1, 1), 1).kind());
    }

    @Test
    void backup_thatWasRestarted_countsAsNothing() {
        send(OWNER, 1, number(1, 1), 2);
        service = service();                                    // another life, with the same log
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 3), 1).kind());
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 3), 1, 1, SELF.incarnation() - 1).kind(), "for the old life");
        assertEquals(0, service.last(5));
        assertNull(service.name(5));
    }

    // ---- copies of earlier lives ----

    @Test
    void copyOfAnEarlierLife_withWhichARowNamesThisOne_counts() {
        send(OWNER, 1, number(1, 1), 2);
        service = service();
        ZoneRow fencing = Rows.row(5, 2, ZoneState.FENCING, null, SELF, OTHER);
        assertEquals(number(1, 2), service.fence(fencing, fencing.backups().getFirst()));
        assertEquals(new ZoneCopy(5, 1), service.name(5));
        tables.update(Rows.row(5, 2, ZoneState.RESTORING, OTHER, SELF));
        assertEquals(Kind.ACKNOWLEDGED, send(OTHER, 2, number(1, 3), 1).kind());
        assertEquals(number(1, 3), log.logged(new ZoneCopy(5, 1)));
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 4), 1).kind(), "of the epoch before");
    }

    /** The last copy that returns to a waiting zone: no row asks for a fence before the next owner ships. */
    @Test
    void copyOfAnEarlierLife_ofABackupOfARestoringOwner_takesRuns() {
        send(OWNER, 1, number(1, 1), 2);
        service = service();
        assertEquals(Kind.STALE, send(OTHER, 2, number(1, 3), 1).kind(), "no row names this life");
        ZoneRow restoring = Rows.row(5, 2, ZoneState.RESTORING, OTHER, SELF);
        tables.update(restoring);
        service.resume(restoring);
        assertEquals(Kind.ACKNOWLEDGED, send(OTHER, 2, number(1, 3), 1).kind());
        assertEquals(number(1, 3), log.logged(new ZoneCopy(5, 1)));
    }

    /** A node that was made a learner meanwhile has two copies. The one that the row names has everything. */
    @Test
    void copyOfAnEarlierLife_takesThePlaceOfALearners_butNotOfALaterOne() {
        send(OWNER, 1, number(1, 1), 2);
        service = service();
        tables.update(Rows.learning(OPEN, SELF, 7));
        send(OWNER, 2, number(2, 1), 1, 7, SELF.incarnation());
        assertEquals(number(2, 1), log.logged(new ZoneCopy(5, 7)));
        ZoneRow old = Rows.row(5, 2, ZoneState.WAITING, null, SELF);
        assertEquals(0, service.fence(old, old.backups().getFirst()), "an old row");
        assertEquals(new ZoneCopy(5, 7), service.name(5));
        ZoneRow waiting = Rows.row(5, 3, ZoneState.WAITING, null, SELF);
        tables.update(waiting);
        assertEquals(number(1, 2), service.fence(waiting, waiting.backups().getFirst()));
        assertEquals(new ZoneCopy(5, 1), service.name(5));
        assertEquals(Kind.STALE, send(OWNER, 3, number(3, 2), 1, 7, SELF.incarnation()).kind());
    }

    @Test
    void keptCopy_isOffered_withWhatIsLeftOfIt() {
        send(OWNER, 1, number(1, 1), 2);
        service = service();
        ZoneRow waiting = Rows.keeping(Rows.row(5, 2, ZoneState.WAITING, null), new Backup(new NodeRef(18, 1), 1));
        Backup kept = waiting.keptBefore(SELF);
        assertEquals(new Command.Returned(5, 2, SELF, 1, number(1, 2), CopyState.WHOLE),
            service.returned(waiting, kept));
        log.cut(1);
        assertEquals(CopyState.CUT, service.returned(waiting, kept).state());
        assertEquals(CopyState.WHOLE, service.returned(waiting, new Backup(new NodeRef(18, 2), 1)).state(),
            "of a life after the power cut");
        log.damage();
        assertEquals(CopyState.DAMAGED, service.returned(waiting, kept).state());
    }

    /** A log drops a copy with all earlier ones of its zone. */
    @Test
    void keptCopy_isNotDroppedWithALaterOneThatNoRowNames() {
        send(OWNER, 1, number(1, 1), 2);
        tables.update(Rows.learning(OPEN, SELF, 7));
        begin(2, number(1, 30), 7);
        send(OWNER, 2, number(2, 31), 2, 7, SELF.incarnation());
        service = service();                                    // the next life, which is not made a learner again
        ZoneRow served = new ZoneRow(5, 4, ZoneState.OPEN, false, OWNER, List.of(), List.of(), List.of(), 9, 4);
        service.dropUnneeded(Rows.keeping(served, new Backup(new NodeRef(18, 1), 1)));
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)));
        service.dropUnneeded(served);
        assertEquals(Set.of(), log.copies());
    }

    @Test
    void keptCopy_isNotDropped_andNeitherIsOneThatTheRowDoesNotKnowYet() {
        send(OWNER, 1, number(1, 1), 2);
        service = service();
        ZoneRow served = new ZoneRow(5, 3, ZoneState.OPEN, false, OTHER, List.of(), List.of(), List.of(), 3, 3);
        service.dropUnneeded(Rows.keeping(served, new Backup(new NodeRef(18, 1), 1)));
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)));
        service.dropUnneeded(new ZoneRow(5, 3, ZoneState.OPEN, false, OTHER, List.of(), List.of(), List.of(), 1, 3));
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)), "a row of before the copy was given");
        service.dropUnneeded(served);
        assertEquals(0, log.logged(new ZoneCopy(5, 1)));
    }

    @Test
    void run_forALaterCopy_beginsAnew_andTheEarlierCopyIsRefused() {
        send(OWNER, 1, number(1, 1), 2);
        tables.update(new ZoneRow(5, 2, ZoneState.OPEN, false, OWNER,
            List.of(new Backup(SELF, 7)), List.of(), List.of(), 8, 9));
        assertEquals(Kind.GAP, send(OWNER, 2, number(1, 3), 1, 7, SELF.incarnation()).kind());
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 3), 1).kind());
    }

    @Test
    void question_isAnsweredWithTheLastNumber() {
        send(OWNER, 1, number(1, 1), 2);
        RunAnswer same = send(OWNER, 1, number(1, 3), 0);
        assertEquals(Kind.ACKNOWLEDGED, same.kind());
        assertEquals(number(1, 2), same.logged());
        RunAnswer behind = send(OWNER, 1, number(1, 9), 0);
        assertEquals(Kind.GAP, behind.kind());
        assertEquals(number(1, 2), behind.logged());
    }

    private RunAnswer begin(int epoch, long base, int copy) {
        MemorySegment message = Arena.ofAuto().allocate(RunMessage.HEAD_BYTES);
        RunMessage.writeBegin(message, 0, new Run(5, copy, epoch, base, 0), OWNER.incarnation(), SELF.incarnation());
        service.run(OWNER.nid(), message, 0, RunMessage.HEAD_BYTES);
        return answers.getLast();
    }

    @Test
    void learner_beginsBehindItsBase_andHasNoHoleAfterIt() {
        tables.update(Rows.learning(OPEN, SELF, 7));
        assertEquals(Kind.GAP, send(OWNER, 2, number(2, 40), 1, 7, SELF.incarnation()).kind(), "it was not begun");
        RunAnswer begun = begin(2, number(1, 30), 7);
        assertEquals(new RunAnswer(Kind.ACKNOWLEDGED, 5, 7, 2, SELF, OWNER.incarnation(), number(1, 30), 0), begun);
        assertNull(service.name(5), "nothing is in the log");
        assertEquals(Kind.GAP, send(OWNER, 2, number(2, 32), 1, 7, SELF.incarnation()).kind());
        assertEquals(number(2, 32), send(OWNER, 2, number(2, 31), 2, 7, SELF.incarnation()).logged());
        assertEquals(new ZoneCopy(5, 7), service.name(5));
        assertEquals(number(2, 32), begin(2, number(1, 30), 7).logged(), "repeated, it changes nothing");
        assertEquals(Kind.STALE, begin(1, number(1, 30), 7).kind(), "of an old epoch");
        assertEquals(Kind.STALE, begin(2, number(1, 30), 6).kind(), "of an earlier copy");
    }

    @Test
    void learner_whoseCopyIsGivenUp_dropsIt_andMayBeginAnother() {
        tables.update(Rows.learning(OPEN, SELF, 7));
        begin(2, number(1, 30), 7);
        send(OWNER, 2, number(2, 31), 2, 7, SELF.incarnation());
        tables.update(new ZoneRow(5, 4, ZoneState.OPEN, false, OWNER, OPEN.backups().subList(1, 2), List.of(),
            List.of(), List.of(), 9, 4, List.of(new Backup(SELF, 8))));
        assertEquals(number(1, 90), begin(4, number(1, 90), 8).logged());
        service.dropUnneeded(tables.zone(5));
        assertEquals(0, log.logged(new ZoneCopy(5, 7)), "the earlier copy is gone");
        assertEquals(Kind.ACKNOWLEDGED, send(OWNER, 4, number(4, 91), 1, 8, SELF.incarnation()).kind());
    }

    @Test
    void run_withTheWish_isAcknowledgedAgainWhenTheDeviceHasIt() {
        MemorySegment message = RunBytes.message(new Run(5, 1, 1, number(1, 1), 2), OWNER, SELF.incarnation(), true);
        service.run(OWNER.nid(), message, 0, (int) message.byteSize());
        assertEquals(2, answers.size());
        assertEquals(number(1, 2), answers.getLast().synced());
    }

    @Test
    void message_thatIsNoRun_isIgnored() {
        MemorySegment message = RunBytes.message(new Run(5, 1, 1, number(1, 1), 2), OWNER, SELF.incarnation(), false);
        service.run(OWNER.nid(), message, 0, 31);
        assertEquals(List.of(), answers);
        service.run(OWNER.nid(), message, 0, 56);               // its records are cut
        assertEquals(List.of(), answers);
        assertEquals(1, service.numbers().damaged());
        assertEquals(1, service.numbers().malformed());
    }

    @Test
    void message_withRunsOfSeveralZones_isAnsweredByOne() {
        tables.update(Rows.row(6, 1, ZoneState.OPEN, OWNER, SELF));
        MemorySegment five = RunBytes.message(new Run(5, 1, 1, number(1, 1), 3), OWNER, SELF.incarnation(), false);
        MemorySegment six = RunBytes.message(new Run(6, 1, 1, number(1, 1), 2), OWNER, SELF.incarnation(), true);
        MemorySegment gap = RunBytes.message(new Run(5, 1, 1, number(1, 9), 1), OWNER, SELF.incarnation(), false);
        MemorySegment old = RunBytes.message(new Run(6, 9, 1, number(1, 3), 1), OTHER, SELF.incarnation(), false);
        MemorySegment more = RunBytes.message(new Run(5, 1, 1, number(1, 4), 1), OWNER, SELF.incarnation(), false);
        MemorySegment message = RunBytes.joined(five, six, gap, old, more);
        service.run(OWNER.nid(), message, 0, (int) message.byteSize());
        assertEquals(List.of(Kind.ACKNOWLEDGED, Kind.ACKNOWLEDGED, Kind.GAP, Kind.STALE, Kind.ACKNOWLEDGED,
            Kind.ACKNOWLEDGED), answers.stream().map(RunAnswer::kind).toList());
        assertEquals(List.of(5, 6, 5, 6, 5, 6), answers.stream().map(RunAnswer::zone).toList());
        assertEquals(List.of(number(1, 3), number(1, 2), number(1, 3), 0L, number(1, 4), number(1, 2)),
            answers.stream().map(RunAnswer::logged).toList());
        assertEquals(number(1, 2), answers.getLast().synced());
        assertEquals(2, messages, "one for all runs, and one when the disk has what was asked for");
        assertEquals(number(1, 4), log.logged(new ZoneCopy(5, 1)));
        assertEquals(number(1, 2), log.logged(new ZoneCopy(6, 1)));
    }

    @Test
    void message_thatIsCutInItsSecondRun_hasTheFirstOneTaken() {
        MemorySegment first = RunBytes.message(new Run(5, 1, 1, number(1, 1), 3), OWNER, SELF.incarnation(), false);
        MemorySegment next = RunBytes.message(new Run(5, 1, 1, number(1, 4), 3), OWNER, SELF.incarnation(), false);
        MemorySegment message = RunBytes.joined(first, next);
        for (long cut = 1; cut < next.byteSize(); cut++) {
            service.run(OWNER.nid(), message, 0, (int) (message.byteSize() - cut));
            assertEquals(number(1, 3), log.logged(new ZoneCopy(5, 1)), "cut by " + cut);
        }
        assertEquals(next.byteSize() - 1, answers.size());
        assertEquals(RunMessage.HEAD_BYTES - 1, service.numbers().damaged(), "cut in the head");
        assertEquals(next.byteSize() - RunMessage.HEAD_BYTES, service.numbers().malformed(), "cut in the records");
        service.run(OWNER.nid(), message, 0, (int) message.byteSize());
        assertEquals(number(1, 6), log.logged(new ZoneCopy(5, 1)));
    }

    @Test
    void run_whoseRecordsAreDamaged_isAnswered_andTheRunsBehindItAreTaken() {
        tables.update(Rows.row(6, 1, ZoneState.OPEN, OWNER, SELF));
        MemorySegment five = RunBytes.message(new Run(5, 1, 1, number(1, 1), 3), OWNER, SELF.incarnation(), false);
        MemorySegment six = RunBytes.message(new Run(6, 1, 1, number(1, 1), 2), OWNER, SELF.incarnation(), false);
        MemorySegment message = RunBytes.joined(five, six);
        message.set(ValueLayout.JAVA_BYTE, five.byteSize() - 1, (byte) 1);
        service.run(OWNER.nid(), message, 0, (int) message.byteSize());
        assertEquals(List.of(Kind.DAMAGED, Kind.ACKNOWLEDGED), answers.stream().map(RunAnswer::kind).toList());
        assertEquals(number(1, 2), log.logged(new ZoneCopy(6, 1)));
        assertEquals(0, log.logged(new ZoneCopy(5, 1)));
    }

    @Test
    void run_whoseRecordsAreImpossible_isNotTaken() {
        MemorySegment message = RunBytes.message(new Run(5, 1, 1, number(1, 1), 2), OWNER, SELF.incarnation(), false);
        long records = RunMessage.HEAD_BYTES;
        message.set(ValueLayout.JAVA_INT_UNALIGNED, records + 8, 7);    // entries of the first record
        RunMessage.write(message, 0, RunMessage.run(message, 0), OWNER.incarnation(), SELF.incarnation(), false,
            (int) (message.byteSize() - records),
            RunMessage.recordsSum(message, records, message.byteSize() - records));
        service.run(OWNER.nid(), message, 0, (int) message.byteSize());
        assertEquals(Kind.GAP, answers.getLast().kind());
        assertEquals(1, service.numbers().malformed());
    }

    @Test
    void run_withAnyBitFlipped_isRefusedAndCounted_andTakenWhenItIsSentAgain() {
        Run run = new Run(5, 1, 1, number(1, 1), 2);
        byte[] sent = RunBytes.message(run, OWNER, SELF.incarnation(), false).toArray(ValueLayout.JAVA_BYTE);
        for (int bit = 0; bit < sent.length * Byte.SIZE; bit++) {
            byte[] arrived = sent.clone();
            arrived[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            service.run(OWNER.nid(), MemorySegment.ofArray(arrived), 0, arrived.length);
            int at = bit;
            assertEquals(0, log.logged(new ZoneCopy(5, 1)), () -> "bit " + at);
            assertEquals(bit + 1, service.numbers().damaged(), () -> "bit " + at);
        }
        assertEquals(Set.of(Kind.DAMAGED), answers.stream().map(RunAnswer::kind).collect(Collectors.toSet()));
        assertEquals(0, service.numbers().runs());
        service.run(OWNER.nid(), MemorySegment.ofArray(sent), 0, sent.length);
        assertEquals(Kind.ACKNOWLEDGED, answers.getLast().kind());
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)));
    }

    @Test
    void answer_withAnyBitFlipped_isNoAnswer() {
        RunAnswer answer = new RunAnswer(Kind.ACKNOWLEDGED, 5, 1, 1, SELF, OWNER.incarnation(), number(1, 3), 0);
        byte[] sent = new byte[RunAnswer.BYTES];
        answer.write(MemorySegment.ofArray(sent), 0);
        assertTrue(RunAnswer.isValid(MemorySegment.ofArray(sent), 0, sent.length));
        assertEquals(answer, RunAnswer.read(MemorySegment.ofArray(sent), 0, SELF.nid()));
        for (int bit = 0; bit < sent.length * Byte.SIZE; bit++) {
            byte[] arrived = sent.clone();
            arrived[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            int at = bit;
            assertFalse(RunAnswer.isValid(MemorySegment.ofArray(arrived), 0, arrived.length), () -> "bit " + at);
        }
    }

    @Test
    void log_thatRefusesAnAppendByAnException_isReported_andTheOwnerIsAskedLater() {
        List<RuntimeException> failures = new ArrayList<>();
        service = new BackupService(SELF, log, tables, (_, next) -> answers.addAll(next), failures::add);
        log.fail();
        assertEquals(Kind.LATER, send(OWNER, 1, number(1, 1), 1).kind());
        assertEquals(1, failures.size());
    }

    @Test
    void copy_thatIsServedWithoutThisNode_isDropped() {
        send(OWNER, 1, number(1, 1), 2);
        ZoneRow without = Rows.without(OPEN, SELF);
        tables.update(without);
        service.dropUnneeded(without);
        assertEquals(0, log.logged(new ZoneCopy(5, 1)));
        assertEquals(Kind.STALE, send(OWNER, 1, number(1, 3), 1).kind());
        assertEquals(0, service.numbers().copies());
    }

    @Test
    void copyOfAnEarlierLife_isDropped_onlyWhenTheZoneIsServed() {
        send(OWNER, 1, number(1, 1), 2);
        service = service();
        service.dropUnneeded(Rows.row(5, 2, ZoneState.LOST, null));
        service.dropUnneeded(Rows.row(5, 3, ZoneState.RESTORING, OTHER));
        assertEquals(number(1, 2), log.logged(new ZoneCopy(5, 1)));
        service.dropUnneeded(new ZoneRow(5, 4, ZoneState.OPEN, false, OTHER, List.of(), List.of(), List.of(), 3, 4));
        assertEquals(0, log.logged(new ZoneCopy(5, 1)));
    }
}
