package io.teff.cluster.slot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.engine.journal.AbandonedRecords;
import io.teff.engine.journal.Journal;
import io.teff.test.kit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What an owner knows of changes, what is in the log of it, and what the next owner restores from that. */
class SlotTableTest {
    private static final int ZONE = 7;

    private final Set<Integer> ended = new HashSet<>();
    private final Log log = new Log();
    private SlotTable table = new SlotTable(ZONE, ended::contains);

    /** A journal that keeps the newest content of each CID, as a log that was cleaned. */
    private static final class Log implements Journal {
        private final SlotWriter writer = new SlotWriter();
        private final MemorySegment memory = Arena.ofAuto().allocate(4_096, 8);
        private final AbandonedRecords abandoned = new AbandonedRecords();
        private final Map<Long, byte[]> contents = new TreeMap<>();
        private long cid;
        private int kind;
        private int length;

        @Override
        public void begin() {
            // has room
        }

        @Override
        public void awaitRoom(int entries, long contentBytes) {
            // has room
        }

        @Override
        public long claim(int zone, int entries, long contentBytes) {
            assertEquals(ZONE, zone);
            return 8;
        }

        @Override
        public long recordBytesMax(int entries) {
            return 4_096;
        }

        @Override
        public MemorySegment memory() {
            return memory;
        }

        @Override
        public long entry(long record, long after, long of, int as, int bytes, long number) {
            cid = of;
            kind = as;
            length = bytes;
            return 0;
        }

        @Override
        public long now(int zone) {
            return 0;
        }

        @Override
        public void commit(long record, boolean isGroup) {
            keep();
        }

        @Override
        public AbandonedRecords abandoned() {
            return abandoned;
        }

        @Override
        public void putLong(long of, int as, long bytes, Content content) {
            throw new AssertionError("a slot is short");
        }

        @Override
        public void done() {
            // nothing to wait for
        }

        private void keep() {
            if (kind == REMOVED) {
                contents.remove(cid);
            } else {
                contents.put(cid, memory.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
            }
        }

        /** A change with this first entry is committed; the writer has a slot. */
        void change(long of, byte[] content) {
            MemorySegment.copy(content, 0, memory, ValueLayout.JAVA_BYTE, 2_048, content.length);
            assertTrue(writer.bytesMax(ZONE) > 0);
            assertEquals(0, writer.bytesMax(ZONE + 1));
            cid = writer.cid();
            kind = PUT;
            length = writer.write(memory, of, 2_048, 0);
            assertTrue(length <= SlotLayout.BYTES_MAX && length % 8 == 0, "" + length);
            keep();
        }
    }

    private Slot enter(int session, long sequence, int slot) {
        return table.enter(session, Ticket.of(sequence, slot));
    }

    /** The next owner restores what the log has, without the memory of this one. */
    private void failOver() {
        table = new SlotTable(ZONE, ended::contains);
        log.contents.forEach((cid, content) -> {
            assertTrue(SlotLayout.isSlot(cid) && Cid.nid(cid) == ZONE);
            table.restore(cid, MemorySegment.ofArray(content), 0, content.length);
        });
    }

    private void change(Slot slot, SlotWriter.Result by, long cid, byte... content) {
        log.writer.one(table, slot, by);
        log.change(cid, content);
        slot.leave();
    }

    private void assertKnown(int session, long sequence, int number, long result) {
        Slot slot = enter(session, sequence, number);
        assertTrue(slot.isDone() && slot.hasChanged(), slot.toString());
        assertEquals(result, slot.result());
        assertEquals(0, slot.code());
        slot.leave();
    }

    @Test
    void change_thatWasRecorded_isKnownHereAndAtTheNextOwner() {
        change(enter(3, 1, 0), SlotWriter.Result.OK, 100);
        change(enter(3, 1, 1), SlotWriter.Result.CID, 101);
        change(enter(3, 1, 2), SlotWriter.Result.SUCCESS, 102);
        for (int i = 0; i < 2; i++) {
            assertKnown(3, 1, 0, 0);
            assertKnown(3, 1, 1, 101);
            assertKnown(3, 1, 2, 1);
            failOver();
        }
        assertEquals(3, log.contents.size());
    }

    @Test
    void sum_isTheValueBeforeTheAddition() {
        Slot slot = enter(3, 1, 0);
        log.writer.sum(table, slot, 4, 2, 5);
        log.change(100, new byte[] {9, 9, 3, 0, 0, 0});
        slot.leave();
        assertKnown(3, 1, 0, -2);
        slot = enter(3, 2, 0);
        log.writer.sum(table, slot, 8, 0, 1L << 40);
        log.change(100, new byte[] {1, 0, 0, 0, 0, 1, 0, 0});
        slot.leave();
        failOver();
        assertKnown(3, 2, 0, 1);
    }

    @Test
    void removal_hasTheLengthOfTheChunk() {
        Slot slot = enter(3, 1, 0);
        log.writer.one(table, slot, SlotWriter.Result.LENGTH);
        log.writer.removing(77);
        log.change(100, new byte[0]);
        slot.leave();
        failOver();
        assertKnown(3, 1, 0, 77);
    }

    @Test
    void laterChange_replacesTheEarlierOne_whoseRepetitionIsRefused() {
        change(enter(3, 1, 0), SlotWriter.Result.CID, 100);
        change(enter(3, 5, 0), SlotWriter.Result.CID, 105);
        assertEquals(1, log.contents.size(), "a slot has one place");
        for (int i = 0; i < 2; i++) {
            assertSame(SlotTable.ENDED, enter(3, 1, 0));
            assertSame(SlotTable.ENDED, enter(3, 4, 0));
            assertKnown(3, 5, 0, 105);
            failOver();
        }
        Slot next = enter(3, 6, 0);
        assertFalse(next.isDone());
        next.leave();
        assertSame(SlotTable.ENDED, enter(3, 5, 0), "the client does not wait for it any more");
    }

    @Test
    void change_thatIsImpossible_isKnownToThisOwnerOnly() {
        Slot slot = enter(3, 1, 0);
        slot.answered(6, -1, false);
        slot.leave();
        Slot again = enter(3, 1, 0);
        assertTrue(again.isDone() && !again.hasChanged());
        assertEquals(6, again.code());
        assertEquals(-1, again.result());
        again.leave();
        failOver();
        again = enter(3, 1, 0);
        assertFalse(again.isDone());
        again.leave();
    }

    @Test
    void slot_thatIsInUse_isNotEntered() {
        Slot slot = enter(3, 1, 0);
        assertSame(SlotTable.IN_USE, enter(3, 1, 0));
        assertSame(SlotTable.IN_USE, enter(3, 2, 0));
        enter(3, 1, 1).leave();
        slot.leave();
        enter(3, 2, 0).leave();
    }

    @Test
    void session_thatHasEnded_isRefused_andLeavesNothing() {
        change(enter(3, 1, 0), SlotWriter.Result.OK, 100);
        change(enter(3, 1, 9), SlotWriter.Result.OK, 100);
        change(enter(4, 1, 0), SlotWriter.Result.OK, 100);
        ended.add(3);
        assertSame(SlotTable.ENDED, enter(3, 1, 0));
        assertEquals(List.of(3), table.ended());
        table.remove(table.ended(), new SlotLog(log));
        assertEquals(1, log.contents.size());
        assertEquals(List.of(), table.ended());
        assertSame(SlotTable.ENDED, enter(3, 1, 0));
        assertKnown(4, 1, 0, 0);
        failOver();
        assertSame(SlotTable.ENDED, enter(3, 1, 0));
        change(enter(4, 1, 5), SlotWriter.Result.OK, 100);
        assertEquals(2, log.contents.size(), "places are used again, each by one slot");
        assertTrue(log.contents.keySet().stream().allMatch(cid -> SlotLayout.place(cid) < 3));
    }

    @Test
    void range_ofWhichAPartExists_isKnownAsSuch() {
        Slot slot = enter(3, 1, 0);
        log.writer.range(table, slot);
        log.change(500, new byte[0]);
        log.change(501, new byte[0]);
        slot.leave();
        failOver();
        Slot restored = enter(3, 1, 0);
        assertFalse(restored.isDone());
        assertEquals(2, restored.made());
        assertEquals(500, restored.result());
        restored.leave();
    }

    @Test
    void malformedEntries_areRefused() {
        byte[] good = new byte[24];
        SlotLayout.putHead(MemorySegment.ofArray(good), 0, 3, 0, SlotLayout.ONE, Ticket.of(1, 0));
        long cid = SlotLayout.cid(ZONE, 0);
        table.restore(cid, MemorySegment.ofArray(good), 0, 24);
        for (int length : new int[] {0, 8, 17, SlotLayout.BYTES_MAX + 8}) {
            byte[] bytes = Arrays.copyOf(good, length);
            assertThrows(IllegalStateException.class,
                () -> table.restore(cid, MemorySegment.ofArray(bytes), 0, bytes.length));
        }
        good[6] = 99;
        assertThrows(IllegalStateException.class, () -> table.restore(cid, MemorySegment.ofArray(good), 0, 24));
    }

    /** Batches of all lengths and results, which stop anywhere and go on at the next owner. */
    @Test
    void batches_thatStopAnywhere_areKnownToTheEntry() {
        long seed = Seed.first();
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 1; round <= 300; round++) {
            int count = 1 + random.nextInt(random.nextBoolean() ? 5 : 300);
            long[] expected = new long[count];
            int kind = random.nextInt(4);
            for (int i = 0; i < count; i++) {
                expected[i] = kind == 0 ? 0 : kind == 1 ? 1_000 + i : kind == 2 ? random.nextLong(1L << 40)
                    : random.nextInt(3) == 0 ? -1 : 0;
            }
            boolean[] isDone = new boolean[count];
            for (int step = 0; step < 3; step++) {
                execute(round, expected, isDone, step == 2 ? count : random.nextInt(count + 1), "seed=" + seed);
                if (random.nextBoolean()) {
                    failOver();
                } else {
                    recordAgain();
                    failOver();
                }
            }
            assertTrue(log.contents.size() <= 2 * (300 / SlotLayout.PART_ENTRIES + 1), "places are used again");
        }
    }

    private void execute(long sequence, long[] expected, boolean[] isDone, int end, String text) {
        Slot slot = enter(3, sequence, (int) sequence % 2);
        long[] known = slot.results(expected.length);
        for (int i = 0; i < expected.length; i++) {
            boolean isRecorded = isDone[i] && expected[i] >= 0;
            assertEquals(isRecorded ? expected[i] : Slot.NOT_DONE, known[i], text + " entry " + i);
            if (i < end && !isRecorded) {
                log.writer.entry(table, slot, i, SlotWriter.Result.CID);
                if (expected[i] >= 0) {
                    log.change(expected[i], new byte[0]);
                }
                known[i] = expected[i];
                isDone[i] = true;
            }
        }
        slot.leave();
    }

    /** A learner gets all slots once more, and has no earlier record. */
    private void recordAgain() {
        Map<Long, byte[]> before = Map.copyOf(log.contents);
        log.contents.clear();
        table.all().forEach(slot -> assertTrue(table.record(slot, new SlotLog(log))));
        log.contents.forEach((cid, content) -> assertTrue(before.containsKey(cid)));
    }

    @Test
    void creates_ofABatch_areKnownInTheirOrder() {
        Slot slot = enter(3, 1, 0);
        slot.results(200);
        log.writer.creates(table, slot, 200);
        for (int i = 0; i < 130; i++) {
            log.change(700 + i, new byte[0]);
        }
        slot.leave();
        failOver();
        long[] known = enter(3, 1, 0).results(200);
        long[] expected = new long[200];
        Arrays.setAll(expected, i -> i < 130 ? 700 + i : Slot.NOT_DONE);
        assertArrayEquals(expected, Arrays.copyOf(known, 200));
    }
}
