package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.recovery.format.Change.Shown;
import io.teff.recovery.format.FrameReader.End;
import io.teff.recovery.format.Samples.Ring;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/**
 * Goal: frames are read as they were written, each as a whole, up to the first that is not the next one, and the reader
 * knows whether that one was synced.
 */
final class FrameTest {
    static final int FIRST = 1000;

    /** A file of the primary log, and its content frame by frame. */
    record Primary(MemorySegment file, List<Integer> offsets, List<Change> changes, List<Integer> changesBefore,
                   List<Long> positions) {
        /** Writes frames until no other fits; some of their records are left out. */
        static Primary of(SplittableRandom random, int bytes, long firstNumber, int recordsMax) {
            Primary primary = new Primary(Samples.nativeBytes(bytes), new ArrayList<>(), new ArrayList<>(),
                new ArrayList<>(), new ArrayList<>());
            FileHead.primary(Samples.LOG, Samples.SALT, bytes).write(primary.file);
            MemorySegment buffer = Samples.nativeBytes(bytes);
            FrameWriter writer = new FrameWriter(buffer, Samples.SALT);
            int offset = FileHead.BYTES;
            for (long number = firstNumber;; number++) {
                Ring ring = new Ring(1 << 16, random.nextInt(1 << 20) * 8L);
                int filled = 0;
                int changesBefore = primary.changes.size();
                for (int records = random.nextInt(recordsMax + 1); records > 0; records--) {
                    Change change = Samples.change(random, primary.changes.size(), 100);
                    ring.add(random.nextBoolean(), change);
                    if (random.nextInt(4) > 0) {
                        long at = RingRecord.offset(ring.positions.getLast(), ring.capacity);
                        int length = (int) Samples.recordBytes(change);
                        MemorySegment.copy(ring.file, at, buffer, FrameWriter.HEAD_BYTES + filled, length);
                        filled += length;
                        primary.changes.add(change);
                        primary.positions.add(ring.positions.getLast());
                    }
                }
                int total = writer.finish(number, ring.start, filled);
                assertEquals(FrameWriter.bytes(filled), total);
                if (offset + total > bytes) {
                    while (primary.changes.size() > changesBefore) {
                        primary.changes.removeLast();
                        primary.positions.removeLast();
                    }
                    return primary;
                }
                MemorySegment.copy(buffer, 0, primary.file, offset, total);
                primary.offsets.add(offset);
                primary.changesBefore.add(changesBefore);
                offset += total;
            }
        }
    }

    @Property(tries = 100)
    void read_ofAnyFile_showsAllFrames(@ForAll long seed) {
        Primary primary = Primary.of(new SplittableRandom(seed), 1 << 16, FIRST, 60);
        FrameReader reader = new FrameReader(primary.file, Samples.SALT);
        Shown shown = new Shown();
        assertEquals(FIRST, reader.firstNumber());
        assertEquals(End.CLEAN, reader.read(FIRST, FIRST, shown));
        assertEquals(primary.changes, shown.changes);
        assertEquals(primary.positions, shown.positions);
        assertEquals(FIRST + primary.offsets.size(), reader.nextNumber());
    }

    @Test
    void read_fromALaterFrame_showsThoseFromThere() {
        Primary primary = Primary.of(new SplittableRandom(2), 1 << 16, FIRST, 60);
        for (int frame = 0; frame < primary.offsets.size(); frame++) {
            Shown shown = new Shown();
            FrameReader reader = new FrameReader(primary.file, Samples.SALT);
            assertEquals(End.CLEAN, reader.read(FIRST, FIRST + frame, shown));
            assertEquals(primary.changes.subList(primary.changesBefore.get(frame), primary.changes.size()),
                shown.changes);
        }
    }

    @Test
    void read_ofAFileThatIsUsedAgain_stopsBeforeTheOldFrames() {
        Primary old = Primary.of(new SplittableRandom(3), 1 << 16, FIRST, 0);
        Primary young = Primary.of(new SplittableRandom(4), 1 << 15, FIRST + old.offsets.size() + 5, 30);
        MemorySegment.copy(young.file, 0, old.file, 0, 1 << 15);
        FrameReader reader = new FrameReader(old.file, Samples.SALT);
        Shown shown = new Shown();
        long first = reader.firstNumber();
        assertEquals(FIRST + old.offsets.size() + 5, first);
        assertEquals(End.CLEAN, reader.read(first, first, shown));
        assertEquals(young.changes, shown.changes);
        assertEquals(first + young.offsets.size(), reader.nextNumber());
    }

    @Test
    void read_withoutOneOfTheFrames_tellsWhetherItWasSynced() {
        Primary primary = Primary.of(new SplittableRandom(5), 1 << 16, FIRST, 60);
        int frames = primary.offsets.size();
        for (int frame = 0; frame < frames; frame++) {
            int offset = primary.offsets.get(frame);
            int length = LittleEndian.getInt(primary.file, offset + FrameWriter.LENGTH_AT);
            for (int at : new int[] {0, 8, 12, 16, 24, FrameWriter.HEAD_BYTES + length - (length > 0 ? 8 : 32)}) {
                Flips.flip(primary.file, (offset + at) * 8L);
                Shown shown = new Shown();
                FrameReader reader = new FrameReader(primary.file, Samples.SALT);
                End expected = frame < frames - 1 ? End.DAMAGED : at == 0 ? End.CLEAN : End.TORN;
                assertEquals(expected, reader.read(FIRST, FIRST, shown), frame + " " + at);
                assertEquals(primary.changes.subList(0, primary.changesBefore.get(frame)), shown.changes);
                assertEquals(FIRST + frame, reader.nextNumber());
                assertEquals(offset, reader.endOffset());
                Flips.flip(primary.file, (offset + at) * 8L);
            }
        }
    }

    @Test
    void firstNumber_ofAFileWithoutFrames_isNone() {
        for (int bytes : new int[] {0, 1, 4096, 4100, 8192}) {
            FrameReader reader = new FrameReader(Samples.nativeBytes(bytes + 1).asSlice(0, bytes), Samples.SALT);
            assertEquals(FrameReader.NONE, reader.firstNumber());
            assertEquals(End.CLEAN, reader.read(0, 0, new Shown()));
        }
    }

    /** Valid stamps and checksums over content that no writer produces. */
    @Test
    void read_ofFramesThatLie_showsNone() {
        Ring ring = new Ring(4096, 0);
        ring.add(false, Change.of(1, 1, Samples.SEGMENT, EntryKind.PUT, new byte[12]));
        int length = (int) ring.end;
        int[][] lies = {{FrameWriter.NUMBER_AT, FIRST + 1}, {FrameWriter.POSITION_AT, 8}, {FrameWriter.LENGTH_AT, -1},
            {FrameWriter.LENGTH_AT, Integer.MAX_VALUE}, {FrameWriter.LENGTH_AT, length - 8},
            {FrameWriter.LENGTH_AT, length + 8}, {FrameWriter.LENGTH_AT, length}};
        for (int[] lie : lies) {
            MemorySegment file = Samples.nativeBytes(8192);
            MemorySegment frame = file.asSlice(4096);
            MemorySegment.copy(ring.file, FileHead.BYTES, frame, FrameWriter.HEAD_BYTES, length);
            new FrameWriter(frame, Samples.SALT).finish(FIRST, 0, length);
            LittleEndian.putInt(frame, lie[0], lie[1]);
            long end = FrameWriter.HEAD_BYTES + (long) LittleEndian.getInt(frame, FrameWriter.LENGTH_AT);
            if (end > FrameWriter.HEAD_BYTES && end <= 4096) {
                LittleEndian.putInt(frame, FrameWriter.CRC_AT, new Checksum(frame).of(FrameWriter.LENGTH_AT, end));
            }
            Shown shown = new Shown();
            new FrameReader(file, Samples.SALT).read(FIRST, FIRST, shown);
            boolean isTrue = lie[0] == FrameWriter.LENGTH_AT && lie[1] == length;
            assertEquals(isTrue ? 1 : 0, shown.changes.size(), lie[0] + "=" + lie[1]);
        }
    }

    /** A frame with a valid checksum, whose records were never in a ring in this order. */
    @Test
    void read_ofPositionsThatDoNotRise_stops() {
        Ring ring = new Ring(4096, 0);
        Change change = Change.of(1, 1, Samples.SEGMENT, EntryKind.PUT, new byte[12]);
        ring.add(false, change);
        ring.add(false, change);
        int length = (int) Samples.recordBytes(change);
        MemorySegment file = Samples.nativeBytes(8192);
        MemorySegment frame = file.asSlice(4096);
        for (int first : new int[] {0, 1}) {
            for (int i = 0; i < 2; i++) {
                MemorySegment.copy(ring.file, FileHead.BYTES + (i ^ first) * (long) length, frame,
                    FrameWriter.HEAD_BYTES + i * (long) length, length);
            }
            new FrameWriter(frame, Samples.SALT).finish(FIRST, 0, 2 * length);
            Shown shown = new Shown();
            assertEquals(first == 0 ? End.CLEAN : End.TORN,
                new FrameReader(file, Samples.SALT).read(FIRST, FIRST, shown));
            assertEquals(first == 0 ? 2 : 0, shown.changes.size());
        }
    }
}
