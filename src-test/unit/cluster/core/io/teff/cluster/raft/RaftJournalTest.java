package io.teff.cluster.raft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.microraft.model.log.LogEntry;
import io.microraft.model.log.SnapshotChunk;
import io.teff.engine.os.DiskFile;
import io.teff.engine.os.DiskFullException;
import io.teff.recovery.disk.Choices;
import io.teff.recovery.disk.FaultDisk;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: what was flushed is there after each death of a process or a machine; damage is refused, not passed over.
 * Method: a disk in memory with power cuts that lose, keep and tear each unsynced write, and a flipped bit at each
 * place of the file.
 */
class RaftJournalTest {
    private static final Path FOLDER = FaultDisk.ROOT;
    private static final RaftId ID = new RaftId(1, 42);
    private static final int RUNS = Form.size(150, 1_500, 15_000);

    private FaultDisk disk = new FaultDisk();

    private static LogEntry entry(long index, int term, int bytes) {
        return RaftBytes.MODEL.createLogEntryBuilder().setIndex(index).setTerm(term).setOperation(new byte[bytes])
            .build();
    }

    private static SnapshotChunk piece(long index, int term, int number, int count) {
        return RaftBytes.MODEL.createSnapshotChunkBuilder().setIndex(index).setTerm(term).setSnapshotChunkIndex(number)
            .setSnapshotChunkCount(count).setGroupMembersView(RaftBytes.members(0, List.of(ID), List.of(ID)))
            .setOperation(new byte[100]).build();
    }

    private static RaftJournal begun(FaultDisk disk) throws IOException {
        RaftJournal journal = RaftJournal.open(disk, FOLDER);
        journal.persistAndFlushLocalEndpoint(RaftBytes.MODEL.createRaftEndpointPersistentStateBuilder()
            .setLocalEndpoint(ID).setVoting(true).build());
        journal.persistAndFlushInitialGroupMembers(RaftBytes.members(0, List.of(ID), List.of(ID)));
        return journal;
    }

    private static void term(RaftJournal journal, int term) throws IOException {
        journal.persistAndFlushTerm(RaftBytes.MODEL.createRaftTermPersistentStateBuilder().setTerm(term)
            .setVotedFor(ID).build());
    }

    /** Returns all that counts of a state, as a text. */
    private static String text(JournalState state) {
        StringBuilder text = new StringBuilder(state.id() + " " + state.isVoter() + " " + state.term() + " "
            + state.vote() + " " + state.snapshotIndex() + "/" + state.snapshotTerm());
        state.entries().stream().filter(entry -> entry.getIndex() > state.snapshotIndex())
            .forEach(entry -> text.append(' ').append(entry.getIndex()).append('/').append(entry.getTerm()));
        return text.toString();
    }

    @Test
    void emptyFolder_hasNoPart() throws IOException {
        assertFalse(RaftJournal.exists(disk, FOLDER));
        try (RaftJournal journal = RaftJournal.open(disk, FOLDER)) {
            assertEquals(null, journal.state().restored());
        }
        assertFalse(RaftJournal.exists(disk, FOLDER), "nothing is made before there is something to remember");
        assertFalse(RaftJournal.look(disk, FOLDER).isVoter());
    }

    /** Random steps of the algorithm; a power cut at any moment loses at most the steps since the last flush. */
    @Test
    void powerCut_keepsWhatWasFlushed() throws IOException {
        long first = Seed.first();
        for (long seed = first; seed < first + RUNS; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            disk = new FaultDisk();
            RaftJournal journal = begun(disk);
            List<String> since = new ArrayList<>(List.of(text(journal.state())));
            int term = 1;
            for (int step = random.nextInt(120); step > 0; step--) {
                term = step(journal, random, term, since);
            }
            FaultDisk after = random.nextInt(4) == 0 ? disk.killed() : disk.powerCut(Choices.random(seed));
            try (RaftJournal again = RaftJournal.open(after, FOLDER)) {
                assertTrue(since.contains(text(again.state())), Seed.reproduce(RaftJournalTest.class, seed) + "\n"
                    + text(again.state()) + "\nis none of\n" + String.join("\n", since));
                again.persistLogEntries(List.of(entry(again.state().lastIndex() + 1, 99, 10)));
                again.flush();
                String now = text(again.state());
                try (RaftJournal third = RaftJournal.open(after.powerCut(Choices.drop()), FOLDER)) {
                    assertEquals(now, text(third.state()), Seed.reproduce(RaftJournalTest.class, seed));
                }
            }
        }
    }

    /** Does a step, and returns the term; notes the states that a power cut may leave. */
    private static int step(RaftJournal journal, SplittableRandom random, int term, List<String> since)
        throws IOException {
        JournalState state = journal.state();
        int now = term;
        switch (random.nextInt(8)) {
            case 0 -> {
                now++;
                term(journal, now);
                since.clear();
            }
            case 1, 2, 3 -> journal.persistLogEntries(List.of(entry(state.lastIndex() + 1, term,
                random.nextInt(3_000))));
            case 4 -> {
                if (state.lastIndex() > state.snapshotIndex() + 1) {
                    journal.truncateLogEntriesFrom(state.lastIndex());
                }
            }
            case 5 -> {
                if (state.lastIndex() > state.snapshotIndex()) {
                    long index = state.snapshotIndex() + 1;
                    for (int i = 0; i < 2; i++) {
                        journal.persistSnapshotChunk(piece(index, state.term(index), i, 2));
                        since.add(text(state));
                    }
                    journal.flush();
                    since.clear();
                    journal.truncateLogEntriesUntil(index);
                }
            }
            default -> {
                journal.flush();
                since.clear();
            }
        }
        since.add(text(state));
        return now;
    }

    @Test
    void bigJournal_isFollowedByASmallOne_withTheSameState() throws IOException {
        RaftJournal journal = begun(disk);
        for (int i = 1; i <= 200; i++) {
            journal.persistLogEntries(List.of(entry(i, 1, 5_000)));
            journal.flush();
        }
        journal.persistSnapshotChunk(piece(199, 1, 0, 1));
        journal.flush();
        journal.truncateLogEntriesUntil(199);
        assertTrue(journal.bytes() < 10_000, journal.bytes() + " bytes");
        assertEquals(List.of("journal-0000000000000002"), disk.list(FOLDER));
        assertEquals(text(journal.state()), text(RaftJournal.look(disk.powerCut(Choices.drop()), FOLDER)));
    }

    /** Each flipped bit is noticed: in synced bytes it is damage, unless nothing later says that they were synced. */
    @Test
    void flippedBit_isDamage_orATornEnd() throws IOException {
        RaftJournal journal = begun(disk);
        term(journal, 1);
        journal.persistLogEntries(List.of(entry(1, 1, 40)));
        journal.flush();
        final String before = text(journal.state());
        final long end = journal.bytes();
        term(journal, 2);
        final String whole = text(journal.state());
        final Path path = FOLDER.resolve("journal-0000000000000001");
        for (int at = 0; at < journal.bytes(); at++) {
            FaultDisk damaged = disk.killed();
            try (DiskFile file = damaged.open(path)) {
                ByteBuffer one = ByteBuffer.allocate(1);
                assertEquals(1, file.read(one, at));
                file.write(ByteBuffer.wrap(new byte[] {(byte) (one.get(0) ^ 1 << at % 8)}), at);
            }
            if (at < end) {
                assertThrows(DamagedJournalException.class, () -> RaftJournal.open(damaged, FOLDER).close(),
                    "byte " + at);
            } else {
                try (RaftJournal again = RaftJournal.open(damaged, FOLDER)) {
                    assertEquals(before, text(again.state()), "byte " + at);
                }
            }
        }
        assertFalse(before.equals(whole));
    }

    @Test
    void fullDisk_endsTheJournal_andNothingFlushedIsLost() throws IOException {
        for (int left = 0; left < 3; left++) {
            disk = new FaultDisk();
            RaftJournal journal = begun(disk);
            term(journal, 3);
            final String before = text(journal.state());
            disk.fillUp(left * 4_096L);
            journal.persistLogEntries(List.of(entry(1, 3, 20_000)));
            assertThrows(DiskFullException.class, journal::flush);
            assertTrue(journal.isBroken());
            assertThrows(IOException.class, () -> term(journal, 4));
            journal.close();
            disk.limit(1 << 20);
            try (RaftJournal again = RaftJournal.open(disk, FOLDER)) {
                assertEquals(before, text(again.state()));
            }
        }
    }

    @Test
    void failedSync_endsTheJournal() throws IOException {
        RaftJournal journal = begun(disk);
        disk.fail(FaultDisk.Call.FORCE, 0, FaultDisk.Fault.BROKEN);
        assertThrows(IOException.class, () -> term(journal, 4));
        assertThrows(IOException.class, () -> term(journal, 5), "a sync is never tried again");
    }
}
