package io.teff.cluster.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.cluster.WriteLevel;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.operation.ZoneHost.Verdict;
import io.teff.cluster.ship.RunAnswer;
import io.teff.cluster.ship.RunMessage;
import io.teff.cluster.ship.ShipRing;
import io.teff.cluster.ship.Shipper;
import io.teff.cluster.zone.Run;
import io.teff.engine.Cid;
import io.teff.engine.Store;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.zone.Zones;
import io.teff.engine.os.Platform;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When answers may leave a peer: ring and shipper are real, lease and backups are those of the test. */
class PeerHostTest {
    private static final int ZONE = 7;
    private static final NodeRef SELF = new NodeRef(16, 1);
    private static final NodeRef FIRST = new NodeRef(17, 1);
    private static final NodeRef SECOND = new NodeRef(18, 4);
    private static final ZoneRow ROW = Rows.row(ZONE, 3, ZoneState.OPEN, SELF, FIRST, SECOND);
    private static final long CID = Cid.of(ZONE, 1);

    private final Store store = Store.open();
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
    private final PeerHost host = new PeerHost(Rows.tables(ROW), ring, shipper, zone -> isServed && zone == ZONE
        ? store : null, _ -> null, () -> holdsLease, Clock.SYSTEM, Zones.of(store));
    private final List<Verdict> verdicts = new ArrayList<>();

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
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
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
        host.afterChange(ZONE, WriteLevel.BACKED_SYNCED, verdicts::add);
        acknowledge(FIRST, 1, 0);
        acknowledge(SECOND, 2, ring.now(ZONE));
        assertEquals(List.of(), verdicts);
        acknowledge(FIRST, 1, ring.now(ZONE));
        assertEquals(List.of(Verdict.SERVED), verdicts);
    }

    @Test
    void change_atOwner_isAnsweredAtOnce_whileTheLeaseIsHeld() {
        change(CID);
        host.afterChange(ZONE, WriteLevel.OWNER, verdicts::add);
        holdsLease = false;
        change(CID);
        host.afterChange(ZONE, WriteLevel.OWNER, verdicts::add);
        assertEquals(List.of(Verdict.SERVED, Verdict.DEPOSED), verdicts);
        assertEquals(4, sent.size(), "it is shipped all the same");
    }

    @Test
    void change_thatBackupsHaveLogged_isAnsweredEvenIfTheLeaseIsLostMeanwhile() {
        change(CID);
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
        holdsLease = false;
        acknowledge(FIRST, 1, 0);
        acknowledge(SECOND, 2, 0);
        assertEquals(List.of(Verdict.SERVED), verdicts);
    }

    @Test
    void change_inAZoneWithoutBackups_isAnsweredOnlyWhileTheLeaseIsHeld() {
        shipper.configured(Rows.without(Rows.without(ROW, SECOND), FIRST));
        change(CID);
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
        assertEquals(List.of(Verdict.SERVED), verdicts);
        change(CID);
        holdsLease = false;
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
        host.afterChange(ZONE, WriteLevel.BACKED_SYNCED, verdicts::add);
        assertEquals(List.of(Verdict.SERVED, Verdict.DEPOSED, Verdict.DEPOSED), verdicts);
    }

    @Test
    void change_thatLosesItsLastBackup_isAnsweredOnlyWhileTheLeaseIsHeld() {
        change(CID);
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
        holdsLease = false;
        shipper.configured(Rows.without(Rows.without(ROW, SECOND), FIRST));
        assertEquals(List.of(Verdict.DEPOSED), verdicts);
    }

    @Test
    void acknowledgement_ofAnotherLifeOrCopy_countsNothing() {
        change(CID);
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
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
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
        shipper.end(ZONE);
        assertEquals(List.of(Verdict.DEPOSED, Verdict.DEPOSED), verdicts);
        host.afterRead(ZONE, CID, verdicts::add);
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
        assertEquals(4, verdicts.size());
        assertEquals(Verdict.DEPOSED, verdicts.getLast());
    }

    @Test
    void change_isAnswered_whenABackupThatHoldsItUpIsReplaced() {
        change(CID);
        host.afterChange(ZONE, WriteLevel.BACKED, verdicts::add);
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
}
