package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.recovery.format.Change.Shown;
import io.teff.recovery.format.RingReader.End;
import io.teff.recovery.format.Samples.Ring;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: committed records of a ring are read as written, after a close and after a kill; uncommitted ones and remains
 * of an earlier lap are never shown. Method: rings that begin at each alignment, holes of every length at every place,
 * laps on top of each other, and forged records.
 */
final class RingTest {
    private static final int SMALL = 4096;

    private static Change put(long sequence, int length) {
        return Change.of(99, sequence, Samples.SEGMENT, EntryKind.PUT,
            Samples.bytes(new SplittableRandom(sequence), length));
    }

    private static void check(Ring ring, End how) {
        Shown shown = new Shown();
        assertEquals(ring.positions.isEmpty() ? ring.start : ring.positions.getLast() + recordBytes(ring),
            ring.read(how, shown));
        assertEquals(ring.changes, shown.changes);
        assertEquals(ring.positions, shown.positions);
    }

    private static long recordBytes(Ring ring) {
        return ring.end - ring.positions.getLast();
    }

    @Property(tries = 200)
    void read_ofAnyFullRing_showsAllOfIt(@ForAll long seed, @ForAll End how,
                                         @ForAll @IntRange(max = 100_000) int start) {
        check(new Ring(SMALL << 2, start * 8L).fill(new SplittableRandom(seed), 300), how);
    }

    @ParameterizedTest
    @EnumSource
    void read_ofRecordsThatEndAtEachPlace_goesOnAtTheRingsBegin(End how) {
        for (long start = 0; start <= SMALL; start += RingRecord.ALIGNMENT) {
            for (int length = 0; length < 40; length += 5) {
                Ring ring = new Ring(SMALL, start);
                int count = 0;
                while (ring.add(false, put(count, length + count % 3))) {
                    count++;
                }
                assertTrue(count >= 35, "" + count);
                check(ring, how);
            }
        }
    }

    /** Drained records of any length, then records of any length that a killed process has begun and not committed. */
    @Property(tries = 300)
    void isEmptied_behindUnfinishedRecords_isFalse_andOfZerosTrue(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Ring ring = new Ring(SMALL, 2 * SMALL);
        int lengthMax = random.nextInt(2) == 0 ? 50 : SMALL / 4 - RingRecord.HEAD_BYTES - RingRecord.ENTRY_BYTES;
        long least = ring.start + random.nextInt(1, 3 * SMALL);
        long mark = ring.start;
        while (mark < least) {
            mark = record(ring, mark, random.nextInt(lengthMax + 1), true);
        }
        for (long end = mark; end >= 0;) {
            int length = random.nextInt(lengthMax + 1);
            long bytes = RingRecord.bytes(RingRecord.ENTRY_BYTES + length);
            boolean hasRoom = end + RingRecord.skipped(end, bytes, SMALL) + bytes <= mark + SMALL;
            end = hasRoom ? record(ring, end, length, random.nextInt(50) == 0) : -1;
        }
        RingReader reader = new RingReader(ring.file, Samples.SALT, SMALL);
        assertFalse(reader.isEmptied(ring.start, mark, reader.read(mark, End.KILLED, new Shown())), "mark " + mark);
        ring.file.asSlice(FileHead.BYTES).fill((byte) 0);
        assertTrue(reader.isEmptied(ring.start, mark, reader.read(mark, End.KILLED, new Shown())));
        assertFalse(reader.isEmptied(mark / SMALL * SMALL + SMALL, mark, mark), "nothing was drained");
    }

    /** Writes a record behind a position, and commits it or not; returns its end. */
    private static long record(Ring ring, long from, int length, boolean commits) {
        long bytes = RingRecord.bytes(RingRecord.ENTRY_BYTES + length);
        long skipped = RingRecord.skipped(from, bytes, SMALL);
        if (skipped > 0 && commits) {
            ring.writer.fill(from);
        }
        long position = from + skipped;
        long at = ring.writer.begin(position, RingRecord.ENTRY_BYTES + length);
        ring.file.asSlice(ring.writer.entry(at, 1, position, 1, 1, EntryKind.PUT, length), length).fill((byte) 0);
        if (commits) {
            ring.writer.commit(position, false);
        }
        return position + bytes;
    }

    @Test
    void read_ofGroups_showsWhichTheyAre() {
        Ring ring = new Ring(SMALL, 0);
        ring.add(true, put(0, 5), put(1, 6));
        ring.add(false, put(2, 5), put(3, 6));
        Shown shown = new Shown();
        ring.read(End.POWER_CUT, shown);
        assertEquals(List.of(true, false), shown.groups);
        assertEquals(ring.changes, shown.changes);
    }

    /** Abandoned room of every length, at every distance from the ring's end, with any former content. */
    @ParameterizedTest
    @EnumSource
    void read_behindAbandonedRoom_goesOn(End how) {
        for (int entries = 28; entries <= 400; entries++) {
            for (long start = SMALL - 1000; start <= SMALL; start += 40) {
                Ring ring = new Ring(SMALL, start);
                ring.add(false, put(0, 30));
                long position = ring.claim(RingRecord.bytes(entries));
                assertTrue(position >= 0);
                ring.writer.begin(position, entries);
                ring.file.asSlice(RingRecord.offset(position, SMALL) + RingRecord.HEAD_BYTES, entries)
                    .fill((byte) entries);
                ring.writer.abandon(position);
                ring.add(true, put(1, 30), put(2, 0));
                check(ring, how);
                RingScan scan = new RingScan(ring.file, Samples.SALT, SMALL);
                assertEquals(RingRecord.bytes(entries), scan.bytes(position));
                assertTrue(!scan.hasEntries(position) && scan.hasEntries(ring.positions.getLast()));
            }
        }
    }

    /** A hole of every length, at every distance from the ring's end. */
    @Test
    void read_behindAHole_showsWhatWasCommittedIfTheProcessWasKilled() {
        for (int hole = 16; hole <= 400; hole += RingRecord.ALIGNMENT) {
            for (long start = SMALL - 1000; start <= SMALL; start += 40) {
                Ring ring = new Ring(SMALL, start);
                ring.add(false, put(0, 30));
                ring.add(false, put(1, 30));
                long before = ring.end;
                assertTrue(ring.claim(hole) >= 0);
                ring.add(false, put(2, 30));
                ring.add(true, put(3, 30), put(4, 0));
                check(ring, End.KILLED);

                Shown shown = new Shown();
                assertEquals(before + filled(ring, before, hole), ring.read(End.POWER_CUT, shown));
                assertEquals(ring.changes.subList(0, 2), shown.changes);
            }
        }
    }

    /** Returns the room filled before a hole that did not fit before the ring's end. */
    private static long filled(Ring ring, long before, int hole) {
        return RingRecord.skipped(before, hole, ring.capacity) >= RingRecord.HEAD_BYTES
            ? RingRecord.skipped(before, hole, ring.capacity) : 0;
    }

    /** A hole in which everything but the stamp was written, or which holds a whole record of an earlier lap. */
    @Test
    void read_ofRecordsWithAnotherStamp_showsNone() {
        for (long stamped : new long[] {-SMALL, SMALL, 8, -8, 1L << 40}) {
            Ring ring = new Ring(SMALL, 3 * SMALL);
            ring.add(false, put(0, 30));
            ring.add(false, put(1, 30));
            ring.add(false, put(2, 30));
            LittleEndian.putLong(ring.file, RingRecord.offset(ring.positions.get(1), SMALL),
                Stamp.of(ring.positions.get(1) + stamped, Samples.SALT));
            Shown shown = new Shown();
            ring.read(End.KILLED, shown);
            assertEquals(List.of(ring.changes.get(0), ring.changes.get(2)), shown.changes);
        }
    }

    @Property(tries = 200)
    void read_ofLapsOnTopOfEachOther_showsTheLastOne(@ForAll long seed, @ForAll End how,
                                                     @ForAll @IntRange(max = 500) int drained) {
        SplittableRandom random = new SplittableRandom(seed);
        Ring ring = new Ring(SMALL, 8L * drained);
        MemorySegment memory = ring.file;
        for (int lap = 0; lap < 4; lap++) {
            Ring next = new Ring(SMALL, lap == 0 ? ring.start : ring.end);
            next.file.asSlice(FileHead.BYTES).copyFrom(memory.asSlice(FileHead.BYTES));
            for (int records = random.nextInt(20); records > 0; records--) {
                next.add(false, put(next.changes.size(), random.nextInt(200)));
            }
            check(next, how);
            memory = next.file;
            ring = next;
        }
    }

    /** No record of the lap is committed; all bytes are those of the lap before. */
    @Test
    void read_fromEachPlaceOfAnOldLap_showsNothing() {
        Ring old = new Ring(SMALL, 0).fill(new SplittableRandom(1), 50);
        for (long start = SMALL; start <= 2 * SMALL; start += RingRecord.ALIGNMENT) {
            for (End how : End.values()) {
                long from = start;
                assertEquals(start, new RingReader(old.file, Samples.SALT, SMALL).read(start, how,
                    (cid, sequence, owner, zone, kind, bytes, offset, length) -> {
                        throw new AssertionError("shown from " + from + ": " + sequence);
                    }));
            }
        }
    }

    /** Each bit of the valid mark, and each way in which a thread can be killed while it writes the next one. */
    @Test
    void mark_withAFlippedBit_isDamagedButNotAHalfWrittenOne() {
        Ring ring = new Ring(SMALL, 8);
        int firstBit = FileHead.CHECKED_END * Byte.SIZE;
        int markBits = 2 * Long.BYTES * Byte.SIZE;
        for (int mark = 0; mark < 4; mark++) {
            assertTrue(!DrainedMark.isDamaged(ring.file, Samples.SALT), "mark " + mark);
            for (int bit = 0; bit < markBits; bit++) {
                int flipped = firstBit + mark % 2 * markBits + bit;
                Flips.flip(ring.file, flipped);
                assertTrue(DrainedMark.isDamaged(ring.file, Samples.SALT), mark + ", bit " + bit);
                Flips.flip(ring.file, flipped);
            }
            long next = 8L + (mark + 1) * 1024;
            long at = FileHead.CHECKED_END + (mark + 1) % 2 * 2L * Long.BYTES;
            LittleEndian.putLong(ring.file, at, next);
            assertTrue(!DrainedMark.isDamaged(ring.file, Samples.SALT), "half of mark " + (mark + 1));
            assertEquals(next - 1024, DrainedMark.read(ring.file, Samples.SALT));
            DrainedMark.write(ring.file, next, Samples.SALT);
            assertEquals(next, DrainedMark.read(ring.file, Samples.SALT));
        }
    }

    /** Valid stamps and checksums over content that no writer produces. */
    @Test
    void read_ofRecordsThatLie_showsNone() {
        int[][] lies = {
            {RingRecord.LENGTH_AT, 15}, {RingRecord.LENGTH_AT, -1}, {RingRecord.LENGTH_AT, SMALL + 8},
            {RingRecord.LENGTH_AT, Integer.MAX_VALUE}, {RingRecord.LENGTH_AT, 0}, {RingRecord.LENGTH_AT, 40},
            {RingRecord.HEAD_BYTES + RingRecord.PAYLOAD_LENGTH_AT, 31},
            {RingRecord.HEAD_BYTES + RingRecord.PAYLOAD_LENGTH_AT, -1},
            {RingRecord.HEAD_BYTES + RingRecord.PAYLOAD_LENGTH_AT, Integer.MAX_VALUE},
            {RingRecord.HEAD_BYTES + RingRecord.PAYLOAD_LENGTH_AT, 29},
            {RingRecord.HEAD_BYTES + RingRecord.KIND_AT, 0}, {RingRecord.HEAD_BYTES + RingRecord.KIND_AT, 3},
            {RingRecord.HEAD_BYTES + RingRecord.KIND_AT, 5}, {RingRecord.HEAD_BYTES + RingRecord.KIND_AT, 7}};
        for (int[] lie : lies) {
            Ring ring = new Ring(SMALL, 0);
            ring.add(false, put(0, 30));
            long at = RingRecord.offset(0, SMALL);
            if (lie[0] == RingRecord.HEAD_BYTES + RingRecord.KIND_AT) {
                LittleEndian.putShort(ring.file, at + lie[0], lie[1]);
            } else {
                LittleEndian.putInt(ring.file, at + lie[0], lie[1]);
            }
            int length = LittleEndian.getInt(ring.file, at + RingRecord.LENGTH_AT);
            if (length >= RingRecord.HEAD_BYTES && length <= SMALL) {
                LittleEndian.putInt(ring.file, at + RingRecord.CRC_AT,
                    new Checksum(ring.file).of(at + RingRecord.LENGTH_AT, at + length));
            }
            Shown shown = new Shown();
            ring.read(End.KILLED, shown);
            assertEquals(List.of(), shown.changes, lie[0] + "=" + lie[1]);
        }
    }

    @Test
    void read_ofLinks_showsThoseThatCanBe() {
        for (int bytes : new int[] {1, 100}) {
            for (int kind = EntryKind.LINK; kind <= EntryKind.LINK_READ_ONLY; kind++) {
                Ring ring = new Ring(SMALL, 0);
                ring.add(false, Samples.link(new SplittableRandom(1), 0, kind, bytes));
                check(ring, End.POWER_CUT);
            }
        }
        byte[] wrong = new byte[ChainLink.HEAD_BYTES + 100];
        ChainLink.writeHead(MemorySegment.ofArray(wrong), 0, 0, 101);
        Ring ring = new Ring(SMALL, 0);
        ring.add(false, Change.of(1, 1, Samples.SEGMENT, EntryKind.LINK, wrong));
        Shown shown = new Shown();
        ring.read(End.KILLED, shown);
        assertEquals(List.of(), shown.changes);
    }

    @Test
    void isPossible_ofEachLinkOfAChain_isWhatWasWritten() {
        for (long chunk : new long[] {1, 1 << 20, (1 << 20) + 1, 5 << 20, (5L << 30) + 17}) {
            MemorySegment head = MemorySegment.ofArray(new byte[ChainLink.HEAD_BYTES]);
            int count = ChainLink.count(chunk);
            long sum = 0;
            for (int number = 0; number < count; number++) {
                ChainLink.writeHead(head, 0, number, chunk);
                int length = ChainLink.HEAD_BYTES + ChainLink.pieceBytes(number, chunk);
                assertTrue(ChainLink.isPossible(head, 0, length));
                assertTrue(!ChainLink.isPossible(head, 0, length - 1) && !ChainLink.isPossible(head, 0, length + 1));
                assertEquals(number, ChainLink.number(head, 0));
                assertEquals(chunk, ChainLink.chunkBytes(head, 0));
                sum += ChainLink.pieceBytes(number, chunk);
            }
            assertEquals(chunk, sum);
            ChainLink.writeHead(head, 0, count, chunk);
            assertTrue(!ChainLink.isPossible(head, 0, ChainLink.HEAD_BYTES + 1));
        }
    }

    @Test
    void mark_ofEachWrite_survivesTheNextOneHalfDone() {
        MemorySegment page = Samples.nativeBytes(FileHead.BYTES);
        assertEquals(DrainedMark.NONE, DrainedMark.read(page, Samples.SALT));
        DrainedMark.write(page, 0, Samples.SALT);
        assertEquals(0, DrainedMark.read(page, Samples.SALT));
        for (long position = 8; position < 1000; position += 8) {
            byte[] before = page.toArray(ValueLayout.JAVA_BYTE);
            DrainedMark.write(page, position, Samples.SALT);
            assertEquals(position, DrainedMark.read(page, Samples.SALT));
            for (int at = FileHead.CHECKED_END; at < FileHead.CHECKED_END + 32; at += 8) {
                MemorySegment half = Samples.nativeBytes(FileHead.BYTES);
                half.copyFrom(MemorySegment.ofArray(before));
                LittleEndian.putLong(half, at, LittleEndian.getLong(page, at));
                long read = DrainedMark.read(half, Samples.SALT);
                assertTrue(read == position - 8 || read == position, position + " " + at + " " + read);
            }
        }
    }

    @Test
    void mark_withAFlippedBit_isTheOneBeforeOrNone() {
        MemorySegment page = Samples.nativeBytes(FileHead.BYTES);
        DrainedMark.write(page, 800, Samples.SALT);
        DrainedMark.write(page, 808, Samples.SALT);
        byte[] written = page.toArray(ValueLayout.JAVA_BYTE);
        for (int bit = FileHead.CHECKED_END * 8; bit < (FileHead.CHECKED_END + 32) * 8; bit++) {
            Flips.flip(page, bit);
            long read = DrainedMark.read(page, Samples.SALT);
            assertTrue(read == 800 || read == 808, bit + ": " + read);
            Flips.flip(page, bit);
        }
        assertArrayEquals(written, page.toArray(ValueLayout.JAVA_BYTE));
    }
}
