package io.teff.cluster.ship;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.meta.Backup;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.zone.Run;
import io.teff.engine.Cid;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Platform;
import io.teff.recovery.backup.RunWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Runs that wait for room on their way are as long as they may be, and never longer than a message. */
class RunLengthTest {
    private static final int ZONE = 7;
    private static final NodeRef OWNER = new NodeRef(16, 1);
    private static final NodeRef BACKUP = new NodeRef(17, 1);
    private static final int MEBIBYTE = 1 << 20;

    private final ShipRing ring = new ShipRing(ShipRing.CAPACITY_MIN, Clock.SYSTEM);
    private final List<Run> sent = new ArrayList<>();
    private final List<Integer> lengths = new ArrayList<>();
    private boolean hasRoom;

    private final Shipper shipper = new Shipper(OWNER, ring, (_, memory, length) -> {
        if (hasRoom) {
            sent.add(RunMessage.run(memory, 0));
            lengths.add(length);
        }
        return hasRoom;
    }, new Shipper.Listener() {
        @Override
        public void holdsUp(ZoneRow row, NodeRef backup) {
            // not of interest here
        }

        @Override
        public void stalled(long ns) {
            // not of interest here
        }
    }, Platform.SYSTEM, 64L << 20);

    RunLengthTest() {
        shipper.open(new ZoneRow(ZONE, 1, ZoneState.OPEN, false, OWNER, List.of(new Backup(BACKUP, 1)), List.of(),
            List.of(), 2, 1), 0);
    }

    private void change(int bytes) {
        ring.begin();
        long record = ring.claim(ZONE, 1, bytes);
        ring.entry(record, 0, Cid.of(ZONE, 1), Journal.PUT, bytes, 0);
        ring.commit(record, false);
        shipper.kick();
    }

    /** Lets everything leave, each run when the one before has arrived. */
    private void leave(int changes) {
        hasRoom = true;
        int counter = 0;
        while (counter < changes) {
            int before = sent.size();
            shipper.lost(BACKUP.nid());                         // sends what is not acknowledged
            shipper.kick();
            assertTrue(sent.size() > before, "nothing leaves behind change " + counter);
            counter += sent.get(before).count();
            shipper.answered(new RunAnswer(RunAnswer.Kind.ACKNOWLEDGED, ZONE, 1, 1, BACKUP, OWNER.incarnation(),
                sent.get(before).last(), 0));
        }
        assertEquals(changes, counter);
        lengths.forEach(length -> assertTrue(length <= RunMessage.HEAD_BYTES + RunWriter.RUN_BYTES_MAX,
            () -> "a run of " + length + " bytes"));
    }

    @Test
    void longRecord_withOthersBehindIt_isARunOfItsOwn() {
        change(MEBIBYTE);
        change(100_000);
        change(100_000);
        change(64);
        leave(4);
    }

    @Test
    void records_ofAllLengths_areRunsThatFitIntoMessages() {
        SplittableRandom random = new SplittableRandom(5);
        int changes = 0;
        for (int bytes = 0; bytes < 5 * MEBIBYTE; changes++) {
            int length = 1 << random.nextInt(21);
            change(length);
            bytes += length;
        }
        leave(changes);
        assertTrue(lengths.stream().anyMatch(length -> length > RunMemory.RUN_BYTES / 2), lengths::toString);
        shipper.audit();
    }
}
