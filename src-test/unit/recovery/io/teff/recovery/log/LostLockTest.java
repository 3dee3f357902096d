package io.teff.recovery.log;

import io.teff.engine.os.FileLockLostException;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.read.LogReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Goal: a log that has lost its lock acknowledges nothing any more, and changes nothing of the next owner's. Method:
 * the lock is taken away before each call of the disk in turn, and the second owner opens at once.
 */
final class LostLockTest {
    private static final long CID = (long) Ledger.OWNER << 48;

    @Test
    void drain_afterTheLockIsLost_failsForEver() throws IOException {
        FaultDisk disk = new FaultDisk();
        OpenLog first = LogScript.open(disk, LogScript.CONFIG);
        Ledger.write(first.buffer(), true, CID, 30);
        assertEquals(Drainer.Result.DONE, first.drainer().drain());
        long synced = first.buffer().drained();
        disk.loseLocks();
        Ledger.write(first.buffer(), true, CID + 1, 30);
        assertEquals(Drainer.Result.FAILED, first.drainer().drain());
        assertEquals(synced, first.buffer().drained());
        assertInstanceOf(FileLockLostException.class, first.buffer().failure());
        LogClosedException refused = assertThrows(LogClosedException.class, () ->
            Ledger.write(first.buffer(), true, CID, 9));
        assertTrue(String.valueOf(refused.getMessage()).contains("is lost"), refused::getMessage);
        first.close();
    }

    /** The second owner has everything that the first one has acknowledged, whenever it comes. */
    @Test
    void secondOwner_atAnyCall_hasWhatTheFirstHasAcknowledged() throws IOException {
        int cases = 0;
        int done = 0;
        for (int n = 0; n >= 0; n++) {
            FaultDisk disk = new FaultDisk();
            OpenLog first = LogScript.open(disk, LogScript.CONFIG);
            int[] calls = {n};
            OpenLog[] second = {null};
            Set<Ledger.Entry> found = new HashSet<>();
            disk.beforeEachCall(() -> {
                if (calls[0]-- == 0) {
                    disk.loseLocks();
                    second[0] = open(disk, found);
                }
            });
            long acknowledged = write(first);
            if (second[0] == null) {
                n = -2;
            } else {
                cases++;
                long end = acknowledged;
                assertTrue(found.stream().filter(it -> it.sequence() < end).count() >= count(end), "call " + calls[0]);
                long more = Ledger.write(second[0].buffer(), true, CID + 9, 50);
                // the call under way may create a file that the second owner wants: then that one fails
                boolean isDone = second[0].drainer().drain() == Drainer.Result.DONE;
                done += isDone ? 1 : 0;
                second[0].close();
                closeQuietly(first);
                assertThere(disk, found, isDone ? more : -1);
            }
        }
        assertTrue(cases > 10 && done > cases - 3, done + " of " + cases);
    }

    private static OpenLog open(FaultDisk disk, Set<Ledger.Entry> found) {
        try {
            OpenLog log = LogScript.open(disk, LogScript.CONFIG);
            Ledger ledger = new Ledger();
            for (var zone : log.zones()) {
                assertEquals(0, Ledger.read(log, zone, ledger).size());
            }
            found.addAll(ledger.entries);
            return log;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private final Set<Long> positions = new HashSet<>();

    /** Writes and drains until a drain fails; returns the position up to which everything was acknowledged. */
    private long write(OpenLog log) {
        positions.clear();
        for (int i = 0; i < 6; i++) {
            try {
                positions.add(Ledger.write(log.buffer(), true, CID + i, 100));
            } catch (LogClosedException _) {
                break;
            }
            if (log.drainer().drain() == Drainer.Result.FAILED) {
                break;
            }
        }
        return log.buffer().drained();
    }

    private long count(long end) {
        return positions.stream().filter(it -> it < end).count();
    }

    private static void closeQuietly(OpenLog log) {
        try {
            log.close();
        } catch (IOException _) {
            // the second owner has its files
        }
    }

    private static void assertThere(FaultDisk disk, Set<Ledger.Entry> found, long more) throws IOException {
        Ledger ledger = new Ledger();
        try (LogReader reader = LogReader.open(disk, LogScript.FOLDER, "a test")) {
            assertEquals(0, reader.damage().size(), reader.damage()::toString);
            for (var zone : reader.zones()) {
                assertEquals(0, reader.read(zone, ledger).size());
            }
        }
        assertTrue(ledger.entries.containsAll(found));
        assertTrue(ledger.entries.stream().anyMatch(it -> it.sequence() == more) || more < 0);
    }
}
