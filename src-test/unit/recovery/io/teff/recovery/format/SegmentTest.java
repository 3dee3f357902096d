package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import io.teff.recovery.format.Change.Shown;
import io.teff.recovery.format.Samples.Segment;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * Goal: a segment is read as it was written; a damaged one as far as its content is verifiable, with a list of the
 * rest; what a crash leaves at the end of an unsealed segment is no damage.
 */
final class SegmentTest {
    private static final int SIZE = 1 << 16;
    private static final int BUFFER = 1 << 13;
    private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

    private static SegmentReport read(byte[] file, long length, boolean sealed, Shown shown) {
        return new SegmentReader(MemorySegment.ofArray(file)).read(length, Samples.HEAD, sealed, shown);
    }

    private static void checkWhole(Segment segment, boolean sealed) {
        Shown shown = new Shown();
        SegmentReport report = read(segment.bytes(), segment.bytes().length, sealed, shown);
        assertEquals(segment.changes(), shown.changes);
        assertEquals(sealed, report.sealed());
        assertEquals(segment.changes().size(), report.entryCount());
        assertEquals(List.of(), report.damage());
        assertEquals(List.of(), report.torn());
    }

    @Property(tries = 200)
    void read_ofAnySegment_showsAllOfIt(@ForAll long seed, @ForAll boolean sealed,
                                        @ForAll @IntRange(min = 1, max = 8) int bufferPages) {
        checkWhole(Segment.of(new SplittableRandom(seed), SIZE, bufferPages << 12, sealed), sealed);
    }

    @Test
    void read_ofASegmentWithoutEntries_isWhole() {
        SegmentWriter writer = Samples.writer(new BlockBuffer(BUFFER), SIZE);
        byte[] file = new byte[SIZE];
        Samples.Segment.put(file, writer, writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT));
        checkWhole(new Segment(file, List.of()), false);
        Samples.Segment.put(file, writer, writer.seal());
        assertEquals(FileHead.BYTES, writer.offset());
        assertEquals(2 * FileHead.BYTES, writer.bytes());
        checkWhole(new Segment(file, List.of()), true);
    }

    /** Ascending and descending numbers over the whole range, all kinds, and the longest chunk that is not a chain. */
    @Test
    void read_ofExtremes_showsThem() {
        SplittableRandom random = new SplittableRandom(1);
        ByteBuffer buffer = ByteBuffer.allocateDirect(SegmentWriter.bufferBytes(1 << 21));
        SegmentWriter writer = Samples.writer(new BlockBuffer(buffer), 1 << 23);
        byte[] file = new byte[1 << 23];
        List<Change> changes = new ArrayList<>();
        Samples.Segment.put(file, writer, writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT));
        long[] sequences = {5, 5, 6, 4, 0, Long.MAX_VALUE, 0, -1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 40, 7};
        for (long sequence : sequences) {
            changes.add(Change.of(Cid.of(7, 255L << 40 | 3 << 20), sequence, Samples.SEGMENT, EntryKind.PUT,
                Samples.bytes(random, 10)));
            changes.add(Change.of(Cid.of(9, 3 << 20), sequence, Samples.SEGMENT, EntryKind.REMOVED, new byte[0]));
            changes.add(Change.of(Cid.of(7, 2), sequence, Samples.SEGMENT, EntryKind.RESERVED, new byte[0]));
            changes.add(Samples.link(random, sequence, EntryKind.LINK, 1 << 20));
            changes.add(Change.of(Cid.of(7, 4 << 20), sequence, Samples.SEGMENT, EntryKind.PUT_READ_ONLY, new byte[0]));
            Change large = Change.of(1, sequence, Samples.SEGMENT, EntryKind.PUT_READ_ONLY,
                Samples.bytes(random, sequence == 0 ? 1 << 20 : 70_000));
            changes.add(large);
        }
        List<Change> written = new ArrayList<>();
        for (Change change : changes) {
            if (!Samples.Segment.add(writer, change)) {
                assertFalse(writer.isEmpty());
                Samples.Segment.put(file, writer, writer.block(writer.bytes()));
                if (!Samples.Segment.add(writer, change)) {
                    break;
                }
            }
            written.add(change);
        }
        if (!writer.isEmpty()) {
            Samples.Segment.put(file, writer, writer.block(writer.bytes()));
        }
        assertEquals(written.size(), writer.entryCount());
        Samples.Segment.put(file, writer, writer.seal());
        checkWhole(new Segment(file, written), true);
    }

    @Test
    void add_untilTheSegmentIsFull_leavesRoomForItsEnd() {
        for (int length = 0; length < 3000; length += 7) {
            SegmentWriter writer = Samples.writer(new BlockBuffer(BUFFER), 4 << 12);
            byte[] file = new byte[4 << 12];
            Samples.Segment.put(file, writer, writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT));
            List<Change> changes = new ArrayList<>();
            Change change = Change.of(1, 1, Samples.SEGMENT, EntryKind.PUT, new byte[length]);
            while (Samples.Segment.add(writer, change) || !writer.isEmpty()) {
                changes.add(change);
                Samples.Segment.put(file, writer, writer.block(0));
            }
            Samples.Segment.put(file, writer, writer.seal());
            assertEquals(2, changes.size());
            checkWhole(new Segment(file, changes), true);
        }
    }

    @Test
    void add_ofMoreThanTheBuffer_isRefused() {
        SegmentWriter writer = Samples.writer(new BlockBuffer(1 << 12), SIZE);
        writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT);
        assertFalse(writer.add(1, 1, EntryKind.PUT, MemorySegment.ofArray(new byte[4096]), 0, 4096));
        assertTrue(writer.add(1, 1, EntryKind.PUT, MemorySegment.ofArray(new byte[4096]), 0, 4000));
        assertFalse(writer.add(1, 1, EntryKind.PUT, MemorySegment.ofArray(new byte[4096]), 0, 100));
        assertTrue(writer.add(1, 1, EntryKind.REMOVED, NOTHING, 0, 0));
        assertEquals(2, writer.entryCount());
        assertEquals(1 << 13, SegmentWriter.bufferBytes(4096));
    }

    @Test
    void read_ofAnotherSegmentsFile_showsNothing() {
        Segment segment = Segment.of(new SplittableRandom(3), SIZE, BUFFER, true);
        for (FileHead head : List.of(FileHead.segment(Samples.LOG, Samples.SALT, new SegmentId(7, 3, 43)),
            FileHead.segment(Samples.LOG, Samples.SALT + 1, Samples.SEGMENT))) {
            Shown shown = new Shown();
            SegmentReport report = new SegmentReader(MemorySegment.ofArray(segment.bytes()))
                .read(SIZE, head, true, shown);
            assertEquals(List.of(), shown.changes);
            assertEquals(0, report.damage().getFirst().offset());
        }
    }

    /** A block that is missing or torn at each of its pages. */
    @Test
    void read_ofAnUnsealedSegmentThatLostABlock_isTornUnlessALaterOneSaysThatItWasSynced() {
        for (boolean synced : new boolean[] {false, true}) {
            SegmentWriter writer = Samples.writer(new BlockBuffer(BUFFER), SIZE);
            byte[] file = new byte[SIZE];
            Samples.Segment.put(file, writer, writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT));
            List<Change> changes = new ArrayList<>();
            for (int block = 0; block < 3; block++) {
                Change change = Change.of(block, block, Samples.SEGMENT, EntryKind.PUT, new byte[5000]);
                assertTrue(Samples.Segment.add(writer, change));
                changes.add(change);
                Samples.Segment.put(file, writer, writer.block(synced ? writer.bytes() : FileHead.BYTES));
            }
            for (int page = 1; page < 7; page++) {
                byte[] torn = file.clone();
                Arrays.fill(torn, page << 12, page + 1 << 12, (byte) 0);
                int lost = (page - 1) / 2;
                Shown shown = new Shown();
                SegmentReport report = read(torn, SIZE, false, shown);
                List<Change> left = new ArrayList<>(changes);
                left.remove(lost);
                assertEquals(left, shown.changes);
                assertFalse(report.sealed());
                assertEquals(1 + 2 * lost << 12, report.end() & (lost == 2 ? -1L : 1 + 2 * lost << 12));
                List<Damage> found = synced && lost < 2 ? report.damage() : report.torn();
                assertEquals(1, found.size(), page + " " + report);
                assertEquals(1, report.damage().size() + report.torn().size());
                assertTrue(found.getFirst().offset() >> 12 == 1 + 2 * lost, report.toString());
            }
        }
    }

    @Test
    void read_ofASealedSegmentWithoutItsEnd_isDamage() {
        SegmentWriter writer = Samples.writer(new BlockBuffer(BUFFER), SIZE);
        byte[] file = new byte[SIZE];
        Samples.Segment.put(file, writer, writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT));
        SegmentReport report = read(file, SIZE, true, new Shown());
        assertEquals(List.of(new Damage(4096, SIZE - 4096, "the segment was sealed, and its end is missing")),
            report.damage());
    }

    @Test
    void read_ofAnEntryWithADamagedPayload_goesOnBehindIt() {
        Segment segment = Segment.of(new SplittableRandom(5), SIZE, BUFFER, true);
        int index = 0;
        while (segment.changes().get(index).length() < 8) {
            index++;
        }
        Change damaged = segment.changes().get(index);
        ByteBuffer file = ByteBuffer.wrap(segment.bytes());
        int at = FileHead.BYTES;
        while (!file.slice(at, damaged.length()).equals(damaged.payload())) {
            at++;
        }
        file.put(at + 4, (byte) (file.get(at + 4) + 1));
        Shown shown = new Shown();
        SegmentReport report = read(segment.bytes(), SIZE, true, shown);
        List<Change> left = new ArrayList<>(segment.changes());
        left.remove(index);
        assertEquals(left, shown.changes);
        assertEquals(1, report.damage().size());
        assertEquals("entries with wrong checksums", report.damage().getFirst().why());
        assertTrue(report.damage().getFirst().offset() < at);
        assertTrue(report.damage().getFirst().offset() + report.damage().getFirst().bytes() >= at + damaged.length());
    }
}
