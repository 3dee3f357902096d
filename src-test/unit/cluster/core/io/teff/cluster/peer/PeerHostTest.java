package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.operation.OperationAnswer;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationFormat;
import io.teff.cluster.operation.OperationType;
import io.teff.cluster.operation.PeerBusy;
import io.teff.cluster.operation.ZoneHost;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.slot.RecordedZone;
import io.teff.cluster.slot.SlotTable;
import io.teff.cluster.slot.Ticket;
import io.teff.cluster.zone.Run;
import io.teff.cluster.zone.ZoneNumber;
import io.teff.engine.ChunkStore;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.config.StoreConfig;
import io.teff.engine.error.Status;
import io.teff.engine.error.StoreException;
import io.teff.engine.error.ZoneDroppedException;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.Zones;
import io.teff.engine.os.Platform;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** When answers may leave a peer: ring and shipper are real, lease and backups are those of the test. */
class PeerHostTest {
    private static final int ZONE = 7;
    private static final NodeRef SELF = new NodeRef(16, 1);
    private static final NodeRef FIRST = new NodeRef(17, 1);
    private static final NodeRef SECOND = new NodeRef(18, 4);
    private static final ZoneRow ROW = Rows.row(ZONE, 3, ZoneState.OPEN, SELF, FIRST, SECOND);
    private static final long CID = Cid.of(ZONE, 1);

    private static final int SESSION = 9;
    private static final long LEASE_NS = 1_000_000_000L;

    private final Store store = Store.open(StoreConfig.builder().nid(ZONE).build());
    private final ShipRing ring = new ShipRing(1 << 16, Clock.SYSTEM);
    private final List<Run> sent = new ArrayList<>();
    private final Shipper shipper = new Shipper(SELF, ring, (_, memory, _) -> sent.add(RunMessage.run(memory, 0)),
        new Shipper.Listener() {
            @Override
            public void holdsUp(ZoneRow row, NodeRef backup) {
                // not of interest here
            }

            @Override
            public void stalled(long ns) {
                // not of interest here
            }
        }, Platform.SYSTEM, 1 << 20);
    private boolean holdsLease = true;
    private boolean isServed = true;
    private final SlotTable slots = new SlotTable(ZONE, _ -> false);
    private long nowNs;
    private final PeerHost host = new PeerHost(Rows.tables(ROW), ring, shipper, zone -> isServed && zone == ZONE
        ? store : null, _ -> slots, () -> holdsLease, new Clock() {
            @Override
            public long nowNs() {
                return nowNs;
            }
        }, Zones.of(store), _ -> { });
    private final List<Verdict> verdicts = new ArrayList<>();
    private final List<byte[]> answers = new ArrayList<>();

    PeerHostTest() {
        shipper.open(ROW, 0);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private void change(long cid) {
        ring.begin();
        long record = ring.claim(ZONE, 1, 8);
        ring.entry(record, 0, cid, Journal.PUT, 8, 0);
        ring.commit(record, false);
    }

    private void acknowledge(NodeRef backup, int copy, long synced) {
        shipper.answered(new RunAnswer(RunAnswer.Kind.ACKNOWLEDGED, ZONE, copy, 3, backup, SELF.incarnation(),
            ring.now(ZONE), synced));
    }

    @Test
    void change_atBacked_isAnsweredWhenBothBackupsHaveIt() {
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        assertEquals(2, sent.size(), "a run for each backup");
        assertEquals(List.of(), verdicts);
        acknowledge(FIRST, 1, 0);
        assertEquals(List.of(), verdicts);
        acknowledge(SECOND, 2, 0);
        assertEquals(List.of(Verdict.SERVED), verdicts);
    }

    @Test
    void change_atBackedSynced_isAnsweredWhenBothDisksHaveIt() {
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.BACKED_SYNCED, verdicts::add);
        acknowledge(FIRST, 1, 0);
        acknowledge(SECOND, 2, ring.now(ZONE));
        assertEquals(List.of(), verdicts);
        acknowledge(FIRST, 1, ring.now(ZONE));
        assertEquals(List.of(Verdict.SERVED), verdicts);
    }

    @Test
    void change_atOwner_isAnsweredAtOnce_whileTheLeaseIsHeld() {
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.OWNER, verdicts::add);
        holdsLease = false;
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.OWNER, verdicts::add);
        assertEquals(List.of(Verdict.SERVED, Verdict.DEPOSED), verdicts);
        assertEquals(4, sent.size(), "it is shipped all the same");
    }

    @Test
    void change_thatBackupsHaveLogged_isAnsweredEvenIfTheLeaseIsLostMeanwhile() {
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        holdsLease = false;
        acknowledge(FIRST, 1, 0);
        acknowledge(SECOND, 2, 0);
        assertEquals(List.of(Verdict.SERVED), verdicts);
    }

    @Test
    void change_inAZoneWithoutBackups_isAnsweredOnlyWhileTheLeaseIsHeld() {
        shipper.configured(Rows.without(Rows.without(ROW, SECOND), FIRST));
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        assertEquals(List.of(Verdict.SERVED), verdicts);
        change(CID);
        holdsLease = false;
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        host.afterChange(ZONE, 0, WriteLevel.BACKED_SYNCED, verdicts::add);
        assertEquals(List.of(Verdict.SERVED, Verdict.DEPOSED, Verdict.DEPOSED), verdicts);
    }

    @Test
    void change_thatLosesItsLastBackup_isAnsweredOnlyWhileTheLeaseIsHeld() {
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        holdsLease = false;
        shipper.configured(Rows.without(Rows.without(ROW, SECOND), FIRST));
        assertEquals(List.of(Verdict.DEPOSED), verdicts);
    }

    @Test
    void acknowledgement_ofAnotherLifeOrCopy_countsNothing() {
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        acknowledge(FIRST, 1, 0);
        acknowledge(new NodeRef(SECOND.nid(), SECOND.incarnation() + 1), 2, 0);
        acknowledge(SECOND, 1, 0);
        shipper.answered(new RunAnswer(RunAnswer.Kind.ACKNOWLEDGED, ZONE, 2, 3, SECOND, SELF.incarnation() - 1,
            ring.now(ZONE), 0));
        assertEquals(List.of(), verdicts);
    }

    @Test
    void read_ofAChunkWithoutChanges_isAnsweredAtOnce() {
        host.afterRead(ZONE, CID, verdicts::add);
        assertEquals(List.of(Verdict.SERVED), verdicts);
    }

    @Test
    void read_ofAChangeThatIsNotAcknowledged_waitsForIt() {
        change(CID);
        host.afterRead(ZONE, CID, verdicts::add);
        assertEquals(List.of(), verdicts);
        acknowledge(FIRST, 1, 0);
        assertEquals(List.of(), verdicts);
        acknowledge(SECOND, 2, 0);
        assertEquals(List.of(Verdict.SERVED), verdicts);
    }

    @Test
    void read_atOwner_isAnsweredAtOnce_whileTheLeaseIsHeld() {
        change(CID);
        host.afterOwnerRead(ZONE, verdicts::add);
        assertEquals(List.of(Verdict.SERVED), verdicts);
        holdsLease = false;
        host.afterOwnerRead(ZONE, verdicts::add);
        assertEquals(List.of(Verdict.SERVED, Verdict.DEPOSED), verdicts);
        holdsLease = true;
        shipper.end(ZONE);
        host.afterRead(ZONE, CID, verdicts::add);
        assertEquals(Verdict.DEPOSED, verdicts.getLast());
    }

    @Test
    void reads_ofSeveralChunks_waitForTheLastOfTheirChanges_once() {
        change(CID);
        host.afterReads(ZONE, new long[] {CID + 9, CID, CID + 1}, 0, 1, verdicts::add);
        assertEquals(List.of(Verdict.SERVED), verdicts, "of another chunk");
        host.afterReads(ZONE, new long[] {CID + 9, CID, CID + 1}, 1, 2, verdicts::add);
        assertEquals(1, verdicts.size());
        change(CID + 1);
        host.afterReads(ZONE, new long[] {CID + 1, CID}, 0, 2, verdicts::add);
        long second = ring.now(ZONE);
        shipper.answered(logged(FIRST, 1, second));
        shipper.answered(logged(SECOND, 2, second - 1));
        assertEquals(2, verdicts.size(), "the second read waits for the second change");
        shipper.answered(logged(SECOND, 2, second));
        assertEquals(List.of(Verdict.SERVED, Verdict.SERVED, Verdict.SERVED), verdicts);
        holdsLease = false;
        host.afterReads(ZONE, new long[] {CID}, 0, 1, verdicts::add);
        assertEquals(Verdict.DEPOSED, verdicts.getLast());
    }

    private static RunAnswer logged(NodeRef backup, int copy, long number) {
        return new RunAnswer(RunAnswer.Kind.ACKNOWLEDGED, ZONE, copy, 3, backup, SELF.incarnation(), number, 0);
    }

    @Test
    void read_afterTheLeaseIsLost_isNotAnswered() {
        assertNotNull(host.serving(ZONE));
        holdsLease = false;                                     // while the value is read
        host.afterRead(ZONE, CID, verdicts::add);
        assertEquals(List.of(Verdict.DEPOSED), verdicts);
        assertNull(host.serving(ZONE));
    }

    @Test
    void read_thatWaits_isNotAnsweredIfTheLeaseIsLostMeanwhile() {
        change(CID);
        host.afterRead(ZONE, CID, verdicts::add);
        shipper.kick();
        holdsLease = false;
        acknowledge(FIRST, 1, 0);
        acknowledge(SECOND, 2, 0);
        assertEquals(List.of(Verdict.DEPOSED), verdicts);
    }

    @Test
    void answersThatWait_doNotLeave_whenTheZoneHasAnotherOwner() {
        change(CID);
        host.afterRead(ZONE, CID, verdicts::add);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        shipper.end(ZONE);
        assertEquals(List.of(Verdict.DEPOSED, Verdict.DEPOSED), verdicts);
        host.afterRead(ZONE, CID, verdicts::add);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        assertEquals(4, verdicts.size());
        assertEquals(Verdict.DEPOSED, verdicts.getLast());
    }

    @Test
    void change_isAnswered_whenABackupThatHoldsItUpIsReplaced() {
        change(CID);
        host.afterChange(ZONE, 0, WriteLevel.BACKED, verdicts::add);
        acknowledge(FIRST, 1, 0);
        shipper.configured(Rows.without(ROW, SECOND));
        assertEquals(List.of(Verdict.SERVED), verdicts);
        change(CID);
        assertEquals(4, ring.now(ZONE) >>> 48, "later changes have the new epoch");
    }

    @Test
    void serving_ofOtherZones_isNull() {
        assertNull(host.serving(ZONE + 1));
        assertNull(host.serving(-1));
        assertNull(host.row(70_000));
        isServed = false;
        host.afterRead(ZONE, CID, verdicts::add);
        assertEquals(List.of(Verdict.DEPOSED), verdicts);
    }

    // ---- the number of a change ----

    /** Lets others act when a change is made and its answer does not wait yet. */
    private final class Overlapping extends PlantedHost {
        private Runnable others;

        Overlapping(Runnable others) {
            super(host);
            this.others = others;
        }

        @Override
        public void afterChange(int zone, long number, WriteLevel level, Consumer<Verdict> then) {
            Runnable now = others;
            others = () -> { };
            now.run();
            super.afterChange(zone, number, level, then);
        }
    }

    private static byte[] put(long cid, int slot) {
        return OperationCalls.change(OperationType.PUT, WriteLevel.BACKED, 0, Long.BYTES, cid, SESSION,
            Ticket.of(1, slot), 7);
    }

    @Test
    void changes_ofAZone_waitEachForTheirOwnNumber() {
        long first = store.create(new byte[Long.BYTES]);
        long second = store.create(new byte[Long.BYTES]);
        List<byte[]> others = new ArrayList<>();
        ZoneHost overlapping = new Overlapping(() -> OperationCalls.execute(host, put(second, 1), others::add));
        OperationCalls.execute(overlapping, put(first, 0), answers::add);
        long last = ring.now(ZONE);
        assertEquals(2, ZoneNumber.counter(last), "both are made");
        shipper.answered(logged(FIRST, 1, last));
        assertEquals(List.of(), answers);
        shipper.answered(logged(SECOND, 2, last - 1));
        assertEquals(1, answers.size(), "the change of another client is not acknowledged, and of no interest");
        assertEquals(List.of(), others);
        shipper.answered(logged(SECOND, 2, last));
        assertEquals(1, others.size());
        assertEquals(OperationFormat.DONE, OperationAnswer.read(others.getFirst(), OperationType.PUT, 0).code());
    }

    /** A batch of two removals waits for its second record, and not for what comes after it. */
    @Test
    void changes_ofABatch_waitForTheLastOfThem() {
        long first = store.create(new byte[Long.BYTES]);
        long second = store.create(new byte[Long.BYTES]);
        ZoneHost overlapping = new Overlapping(() -> change(CID));
        OperationCalls.execute(overlapping, OperationCalls.batch(OperationType.BATCH_REMOVE, 0, 0,
            new long[] {first, second}, 2, SESSION, Ticket.of(1, 0)), answers::add);
        long last = ring.now(ZONE);
        assertEquals(3, ZoneNumber.counter(last));
        shipper.answered(logged(FIRST, 1, last));
        shipper.answered(logged(SECOND, 2, last - 2));
        assertEquals(List.of(), answers);
        shipper.answered(logged(SECOND, 2, last - 1));
        assertEquals(1, answers.size());
    }

    /** Its program has chosen a level without backups; reads at other levels wait. */
    @Test
    void read_atOwner_waitsForNoBackup() {
        long cid = store.create(new byte[Long.BYTES]);
        OperationCalls.execute(host, put(cid, 0), answers::add);
        for (WriteLevel level : WriteLevel.values()) {
            assertEquals(level == WriteLevel.OWNER ? 1 : 0, answersOf(get(level, cid)), level::name);
        }
        assertEquals(1, answersOf(OperationCalls.request(OperationType.GET_FIELD, WriteLevel.OWNER, Long.BYTES, 0, cid,
            0)));
        assertEquals(7, OperationAnswer.read(answers.getFirst(), OperationType.GET_FIELD, 0).result(), "of the put");
        holdsLease = false;
        assertEquals(1, answersOf(get(WriteLevel.OWNER, cid)));
        assertEquals(OperationFormat.NOT_HERE, OperationAnswer.read(answers.getFirst(), OperationType.GET, 64).code());
    }

    private static byte[] get(WriteLevel level, long cid) {
        return OperationCalls.request(OperationType.GET, level, 0, Long.BYTES, cid);
    }

    /** Executes a request, and returns the number of answers that have left. */
    private int answersOf(byte[] request) {
        answers.clear();
        OperationCalls.execute(host, request, answers::add);
        return answers.size();
    }

    /** It has no record of its own, and may rest on a change of another client that is not acknowledged. */
    @Test
    void change_withoutARecord_andARepetition_waitForAllChangesUntilThen() {
        long cid = store.create(new byte[Long.BYTES]);
        change(cid);
        byte[] resize = OperationCalls.change(OperationType.RESIZE, WriteLevel.BACKED, 0, Long.BYTES, cid, SESSION,
            Ticket.of(1, 0));
        OperationCalls.execute(host, resize, answers::add);
        assertEquals(1, ZoneNumber.counter(ring.now(ZONE)), "the chunk has this length");
        assertEquals(List.of(), answers);
        acknowledgeAll();
        assertEquals(1, answers.size());
        change(cid);
        OperationCalls.execute(host, resize, answers::add);
        assertEquals(1, answers.size(), "the slot knows the result, and not the number");
        acknowledgeAll();
        assertEquals(2, answers.size());
    }

    /** The view of a zone that was dropped and is served again is another one. */
    @Test
    void recordedZone_isUsedForItsOwnViewOnly() {
        RecordedZone zone = slots.recorded().take(store, host);
        assertSame(store, zone.of());
        slots.recorded().give(zone);
        assertSame(zone, slots.recorded().take(store, host));
        slots.recorded().give(zone);
        isServed = false;
        ChunkStore other = Zones.of(store).changes(ZONE, null).store();
        assertThrows(ZoneDroppedException.class, () -> slots.recorded().take(other, host));
    }

    // ---- locks that are not held ----

    private void acknowledgeAll() {
        acknowledge(FIRST, 1, 0);
        acknowledge(SECOND, 2, 0);
    }

    private OperationAnswer execute(OperationType type, byte[] request) {
        OperationCalls.execute(host, request, answers::add);
        acknowledgeAll();
        return OperationAnswer.read(answers.removeFirst(), type, 0);
    }

    /** Returns the token of a lock of a chunk, whose lease is over. */
    private long lockThatIsOver(long cid) {
        long token = execute(OperationType.LOCK, OperationCalls.change(OperationType.LOCK, WriteLevel.BACKED, 0, 0, cid,
            SESSION, Ticket.of(1, 0), OperationFormat.WRITE_LOCK, LEASE_NS)).result();
        assertTrue(!Status.isStatus(token), Status.name(token));
        nowNs += LEASE_NS + 1;
        return token;
    }

    /** Asks for something with a token, at the lowest level. */
    private static byte[] withToken(OperationType type, long cid, long token, long ticket) {
        WriteLevel level = WriteLevel.OWNER;
        return switch (type) {
            case RENEW_LOCK -> OperationCalls.request(type, level, 0, 0, cid, token);
            case UNLOCK -> OperationCalls.change(type, level, 0, 0, cid, SESSION, ticket, token);
            case SWAP_LOCK -> OperationCalls.change(type, level, 0, 0, cid, SESSION, ticket, 0, LEASE_NS, token);
            case PUT -> OperationCalls.held(type, level, 0, Long.BYTES, cid, token, SESSION, ticket, 1);
            default -> OperationCalls.held(type, level, 0, Long.BYTES, cid, token, 0, 0);
        };
    }

    private static void assertRefused(OperationType type, byte[] bytes) {
        OperationAnswer answer = OperationAnswer.read(bytes, type, Long.BYTES);
        if (type == OperationType.GET || type == OperationType.PUT) {
            assertEquals(OperationFormat.FENCED, answer.code());
        } else {
            assertEquals(OperationFormat.DONE, answer.code());
            assertEquals(Status.NOT_HELD, answer.result());
        }
    }

    /**
     * Until the backups have the end of the lock, their next owner would restore the lock and accept the token: a
     * client that was refused would have its lock again, and all others would wait for it.
     */
    @ParameterizedTest
    @EnumSource(names = {"GET", "PUT", "RENEW_LOCK", "UNLOCK", "SWAP_LOCK"})
    void refusalOfAToken_isAnsweredWhenBothBackupsHaveTheEndOfTheLock(OperationType type) {
        long cid = store.create(new byte[Long.BYTES]);
        long token = lockThatIsOver(cid);
        OperationCalls.execute(host, withToken(type, cid, token, Ticket.of(1, 1)), answers::add);
        OperationCalls.execute(host, withToken(type, cid, token, Ticket.of(1, 2)), answers::add);
        assertEquals(0, slots.locks().size());
        assertEquals(0, answers.size(), "the second one finds no lock, and its end is not acknowledged either");
        acknowledge(FIRST, 1, 0);
        assertEquals(0, answers.size());
        acknowledge(SECOND, 2, 0);
        assertEquals(2, answers.size());
        answers.forEach(bytes -> assertRefused(type, bytes));
        assertEquals(0, store.fields().getLong(cid, 0, -1));
    }

    /** The backups take nothing, as if their disks were full: then the owner cannot write the end of the lock. */
    @ParameterizedTest
    @EnumSource(names = {"GET", "PUT", "RENEW_LOCK", "UNLOCK", "SWAP_LOCK"})
    void refusalOfAToken_whileTheRingIsFull_isBusy(OperationType type) {
        long cid = store.create(new byte[Long.BYTES]);
        long token = lockThatIsOver(cid);
        fillRing();
        OperationCalls.execute(host, withToken(type, cid, token, Ticket.of(1, 1)), answers::add);
        assertEquals(OperationFormat.BUSY, OperationAnswer.read(answers.removeFirst(), type, Long.BYTES).code());
        assertEquals(1, slots.locks().size(), "its end is not written");
        acknowledgeAll();
        shipper.kick();
        OperationCalls.execute(host, withToken(type, cid, token, Ticket.of(1, 1)), answers::add);
        assertEquals(0, answers.size());
        acknowledgeAll();
        assertRefused(type, answers.removeFirst());
    }

    private void fillRing() {
        try {
            while (true) {
                change(CID);
            }
        } catch (StoreException e) {
            assertTrue(PeerBusy.is(e), e::toString);
        }
    }
}
