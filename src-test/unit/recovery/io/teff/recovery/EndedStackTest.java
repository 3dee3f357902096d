package io.teff.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.engine.os.Platform;
import io.teff.recovery.disk.FaultDisk;
import io.teff.recovery.log.LogOptions;
import io.teff.recovery.log.RecoveryLog;
import io.teff.recovery.log.file.LogClosedException;
import io.teff.recovery.log.file.LogConfig;
import io.teff.test.kit.Form;
import io.teff.test.kit.tier.FullTier;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a thread whose stack ends in whatever step of a record stops no other thread: the log is drained, synced and
 * closed, and has exactly the committed records. Method: many threads with small stacks write records at each depth,
 * from where not even a call is possible to where the whole record fits.
 */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class EndedStackTest {
    private static final Path FOLDER = FaultDisk.ROOT.resolve("data");
    private static final LogConfig CONFIG =
        new LogConfig(1 << 16, 1 << 16, 4096, 1 << 17, 2, 6000, 4096, 3, 100_000_000_000L, 0, 0);
    private static final int THREADS = 16;
    private static final int ROUNDS = Form.size(5, 50);
    private static final int CHANGES = 120;
    private static final int BYTES = 64;
    private static final int LAPS = 4;
    private static final long SMALL_STACK_BYTES = 256 << 10;

    private final FaultDisk disk = new FaultDisk();
    private final AtomicInteger ended = new AtomicInteger();
    private final ConcurrentHashMap.KeySetView<Long, Boolean> committed = ConcurrentHashMap.newKeySet();

    private RecoveryLog open() throws IOException {
        return RecoveryLog.open(new LogOptions(Platform.SYSTEM.withDisk(disk), FOLDER, CONFIG, 0, false, "a test"));
    }

    @Test
    void stacksThatEnd_inWhateverStep_stopNobody() throws Exception {
        run(EndedStackTest::putShort);
    }

    /** A change as the engine makes it. */
    @FunctionalInterface
    private interface Change {
        void make(LogJournal journal, long cid);
    }

    private static void putShort(LogJournal journal, long cid) {
        final long[] left = journal.abandoned().places();
        journal.begin();
        final long record = journal.claim(1, 1, BYTES);
        boolean isCommitted = false;
        try {
            final long at = journal.entry(record, 0, cid, Journal.PUT, BYTES, 0);
            for (int i = 0; i < BYTES; i += Long.BYTES) {
                journal.memory().set(ValueLayout.JAVA_LONG_UNALIGNED, at + i, cid);
            }
            journal.commit(record, false);
            isCommitted = true;
        } finally {
            if (!isCommitted) {
                final long product = record * AbandonedRecords.SPREAD;
                int place = (int) ((product ^ product >>> Integer.SIZE) * AbandonedRecords.SPREAD
                    >>> AbandonedRecords.SHIFT) & AbandonedRecords.FIRST;
                while (left[place] != 0 && (place & AbandonedRecords.LAST) != AbandonedRecords.LAST) {
                    place++;
                }
                left[place] = record;
            }
        }
    }

    private void run(Change change) throws Exception {
        try (RecoveryLog log = open()) {
            final LogJournal journal = new LogJournal("test", log, Level.LOGGED);
            writeLaps(change, journal);
            for (int round = 0; round < ROUNDS; round++) {
                final List<Thread> threads = new ArrayList<>();
                for (int i = 0; i < THREADS; i++) {
                    final long first = (long) (round * THREADS + i) * CHANGES;
                    final Thread thread = new Thread(null, () -> write(change, journal, first), "small-stack",
                        SMALL_STACK_BYTES);
                    threads.add(thread);
                    thread.start();
                }
                for (Thread thread : threads) {
                    thread.join();
                }
                assertTrue(log.sync());
                assertEquals(0, log.pendingBytes());
            }
        }
        assertTrue(ended.get() > ROUNDS, ended::toString);
        final List<Long> found = new ArrayList<>();
        try (RecoveryLog log = open()) {
            for (var zone : log.zones()) {
                assertEquals(List.of(), log.read(zone, (cid, sequence, owner, number, kind, bytes, offset, length) ->
                    found.add(cid)));
            }
        }
        found.sort(null);
        assertEquals(committed.stream().sorted().toList(), found);
    }

    /**
     * Fills the ring some times with a whole stack, so that all classes of changes and of waits are initialized: one
     * whose initializer meets the end of a stack fails for ever, in later tests of this JVM, too.
     */
    private void writeLaps(Change change, LogJournal journal) {
        final long first = (long) ROUNDS * THREADS * CHANGES;
        for (int i = 0; i < LAPS * CONFIG.bufferBytes() / BYTES; i++) {
            change.make(journal, Cid.of(0, first + i));
            committed.add(Cid.of(0, first + i));
        }
    }

    private void write(Change change, LogJournal journal, long first) {
        final int[] counts = new int[2];
        final boolean[] isDone = new boolean[CHANGES];
        dive(change, journal, first, counts, isDone);
        ended.addAndGet(counts[1]);
        for (int i = 0; i < CHANGES; i++) {
            if (isDone[i]) {
                committed.add(Cid.of(0, first + i));
            }
        }
    }

    /** Recurses until the stack overflows; makes changes on the way back, counts them and those that had no stack. */
    @SuppressWarnings("InfiniteRecursion")
    private static void dive(Change change, LogJournal journal, long first, int[] counts, boolean[] isDone) {
        try {
            dive(change, journal, first, counts, isDone);
        } catch (StackOverflowError e) {
            counts[1] += 0;
        }
        final int number = counts[0];
        if (number < CHANGES) {
            counts[0]++;
            try {
                change.make(journal, Cid.of(0, first + number));
                isDone[number] = true;
            } catch (StackOverflowError e) {
                counts[1]++;
            }
        }
    }

    /** A thread that neither commits nor leaves its record: all threads that wait for it get a failure. */
    @Test
    @FullTier("20 s of waiting until the log gives the record up. stacksThatEnd_inWhateverStep_stopNobody has "
        + "records without an end that the drainer abandons.")
    void recordWithoutEnd_failsTheLog_whichCanBeOpenedAgain() throws IOException {
        final RecoveryLog log = open();
        final LogJournal journal = new LogJournal("test", log, Level.LOGGED);
        putShort(journal, Cid.of(0, 1));
        final long late = journal.claim(1, 1, BYTES);
        journal.entry(late, 0, Cid.of(0, 9), Journal.PUT, BYTES, 0);
        putShort(journal, Cid.of(0, 2));
        assertThrows(LogClosedException.class, log::sync);
        assertThrows(RuntimeException.class, journal::begin);
        assertThrows(IOException.class, log::close);
        assertEquals(List.of(Cid.of(0, 1), Cid.of(0, 2)), found(late, journal));
    }

    /** Opens the log again, in which a former thread ends its record late; returns the CIDs found. */
    private List<Long> found(long late, LogJournal former) throws IOException {
        final List<Long> found = new ArrayList<>();
        try (RecoveryLog log = open()) {
            former.commit(late, false);
            final LogJournal journal = new LogJournal("test", log, Level.LOGGED);
            for (int i = 0; i < ROUNDS; i++) {
                putShort(journal, Cid.of(0, 1));
            }
            assertTrue(log.sync());
            for (var zone : log.zones()) {
                log.read(zone, (cid, sequence, owner, number, kind, bytes, offset, length) -> found.add(cid));
            }
        }
        return found.stream().distinct().sorted().toList();
    }
}
