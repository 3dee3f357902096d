package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.recovery.format.RingReader.End;
import io.teff.test.kit.tier.FullTier;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: to read a file takes a number of steps in proportion to its length, whatever it contains, also what somebody
 * who knows the log's salt has made to be slow. Method: the bytes of which checksums are taken, and the bytes that are
 * read of the file, are counted; files of several lengths, full of noise and of false claims.
 */
@FullTier("4 s of reading garbage at growing lengths. FrameTest, RingTest, SegmentTest and ManifestTest read "
    + "damaged files.")
final class GarbageCostTest {
    /** Checksums are taken of at most this many times the bytes of the file, and as many bytes are read. */
    private static final int FACTOR = 20;
    private static final int FEW_BYTES = 200_000;
    private static final EntryVisitor NOBODY = (cid, sequence, owner, zone, kind, bytes, offset, length) -> { };

    private final AtomicLong readBytes = new AtomicLong();

    /** Opens a window that counts the bytes read. */
    private FileWindow window(MemorySegment file) {
        readBytes.set(0);
        final ByteBuffer bytes = file.asByteBuffer();
        return new FileWindow((target, offset) -> {
            final int count = (int) Math.min(target.remaining(), file.byteSize() - offset);
            target.put(bytes.slice((int) offset, count));
            readBytes.addAndGet(count);
            return count;
        }, file.byteSize());
    }

    private void assertLinear(String what, FileWindow file) {
        assertLinear(what + ", checksums", file.summedBytes(), file.size());
        assertLinear(what + ", read", readBytes.get(), file.size());
    }

    private static void assertLinear(String what, long bytes, long size) {
        assertTrue(bytes < FACTOR * size + FEW_BYTES, () -> what + ": " + bytes + " bytes of a file of " + size);
    }

    private static MemorySegment noise(int bytes) {
        final MemorySegment file = Samples.nativeBytes(bytes);
        file.asByteBuffer().put(Samples.bytes(new SplittableRandom(bytes), bytes));
        return file;
    }

    // ---- ring ----

    /** A ring in which each 16 bytes claim to be the longest possible record, with some wrong bits of the stamp. */
    private static MemorySegment claimingRing(int capacity, long wrongBits) {
        final MemorySegment file = Samples.nativeBytes(FileHead.BYTES + (long) capacity);
        for (int position = 0; position < capacity; position += RingRecord.HEAD_BYTES) {
            final long at = RingRecord.offset(position, capacity);
            LittleEndian.putLong(file, at, Stamp.of(position, Samples.SALT) ^ wrongBits);
            LittleEndian.putInt(file, at + RingRecord.LENGTH_AT, capacity - position);
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 14, 1 << 17, 1 << 20, 1 << 22})
    void ring_ofGarbage_isLinear(int capacity) {
        final List<MemorySegment> files = List.of(noise(FileHead.BYTES + capacity), claimingRing(capacity, 0),
            claimingRing(capacity, 4), Samples.nativeBytes(FileHead.BYTES + (long) capacity));
        for (MemorySegment file : files) {
            for (End end : End.values()) {
                final FileWindow window = window(file);
                final RingReader reader = new RingReader(window, Samples.SALT, capacity);
                assertEquals(0, reader.read(0, end, NOBODY));
                assertLinear("ring " + files.indexOf(file) + " after " + end, window);
                assertTrue(reader.damage().size() <= 1001, () -> reader.damage().size() + " damages");
                final boolean isClaiming = files.indexOf(file) == 1 || files.indexOf(file) == 2;
                assertEquals(isClaiming && end == End.KILLED, !reader.damage().isEmpty());
            }
        }
    }

    /** Short claims cost little each, but their damage is listed. */
    @ParameterizedTest
    @ValueSource(ints = {1 << 17, 1 << 20})
    void ring_ofManyShortBrokenRecords_listsSome(int capacity) {
        final MemorySegment file = claimingRing(capacity, 0);
        for (int position = 0; position < capacity; position += RingRecord.HEAD_BYTES) {
            LittleEndian.putInt(file, RingRecord.offset(position, capacity) + RingRecord.LENGTH_AT, 24);
        }
        final FileWindow window = window(file);
        final RingReader reader = new RingReader(window, Samples.SALT, capacity);
        reader.read(0, End.KILLED, NOBODY);
        assertLinear("short records", window);
        assertEquals(1001, reader.damage().size());
    }

    // ---- frames ----

    /** A file in which each page claims to be a frame, all of which reach to the end. */
    private static MemorySegment claimingFrames(int bytes, long firstNumber) {
        final MemorySegment file = Samples.nativeBytes(bytes);
        FileHead.primary(Samples.LOG, Samples.SALT, bytes).write(file);
        for (int at = FileHead.BYTES; at < bytes; at += FileHead.BYTES) {
            final long number = firstNumber + at / FileHead.BYTES;
            LittleEndian.putLong(file, at, Stamp.of(number, Samples.SALT));
            LittleEndian.putLong(file, at + FrameWriter.NUMBER_AT, number);
            LittleEndian.putInt(file, at + FrameWriter.LENGTH_AT, bytes - at - FrameWriter.HEAD_BYTES);
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 16, 1 << 20, 1 << 23})
    void frames_ofGarbage_areLinear(int bytes) {
        final List<MemorySegment> files = List.of(noise(bytes), claimingFrames(bytes, 7),
            claimingFrames(bytes, 1 << 20), Samples.nativeBytes(bytes));
        for (MemorySegment file : files) {
            final FileWindow window = window(file);
            final FrameReader reader = new FrameReader(window, Samples.SALT);
            assertEquals(FrameReader.NONE, reader.firstNumber());
            final FrameReader.End end = reader.read(8, 0, NOBODY);
            assertLinear("frames " + files.indexOf(file), window);
            final boolean isMuch = bytes > 1 << 16 && (files.indexOf(file) == 1 || files.indexOf(file) == 2);
            assertEquals(isMuch, end == FrameReader.End.DAMAGED, () -> files.indexOf(file) + " " + end);
        }
    }

    // ---- segments ----

    /** Writes a block with a correct head. */
    private static void head(MemorySegment file, long at, int length, long salt) {
        LittleEndian.putLong(file, at, Stamp.of(at, salt));
        LittleEndian.putInt(file, at + SegmentLayout.LENGTH_AT, length);
        LittleEndian.putInt(file, at + SegmentLayout.CRC_AT,
            new Checksum(file).of(at + SegmentLayout.LENGTH_AT, at + SegmentLayout.HEAD_BYTES));
    }

    /** A segment in which each page is a block that claims to have some bytes, and begins with entries likewise. */
    private static MemorySegment claimingSegment(int bytes, int length, boolean hasHeads) {
        final MemorySegment file = Samples.nativeBytes(bytes);
        Samples.HEAD.write(file);
        final long salt = SegmentLayout.salt(Samples.SEGMENT, Samples.SALT);
        for (int at = FileHead.BYTES; at < bytes; at += FileHead.BYTES) {
            final int claimed = Math.min(length, bytes - at - SegmentLayout.HEAD_BYTES);
            if (hasHeads) {
                head(file, at, claimed, salt);
            }
            int entry = at + SegmentLayout.HEAD_BYTES;
            while (entry < at + FileHead.BYTES - SegmentEntry.HEAD_BYTES_MAX) {
                final int rest = Math.min(claimed, SegmentEntry.LENGTH_MAX) / 2;
                entry = (int) SegmentEntry.write(file, entry, EntryKind.PUT, 1, 0, rest, 1);
            }
        }
        return file;
    }

    @ParameterizedTest
    @ValueSource(ints = {1 << 16, 1 << 20, 1 << 23})
    void segments_ofGarbage_areLinear(int bytes) {
        final List<MemorySegment> files = List.of(noise(bytes), Samples.nativeBytes(bytes),
            claimingSegment(bytes, 0, true), claimingSegment(bytes, 4000, true), claimingSegment(bytes, 9000, true),
            claimingSegment(bytes, bytes, true), claimingSegment(bytes, 4000, false),
            claimingSegment(bytes, bytes, false));
        for (MemorySegment file : files) {
            for (boolean isSealed : new boolean[] {false, true}) {
                final SegmentReader reader = new SegmentReader(file);
                final SegmentReport report = reader.read(bytes, Samples.HEAD, isSealed, NOBODY);
                assertFalse(report.sealed());
                assertLinear("segment " + files.indexOf(file), reader.summedBytes(), bytes);
            }
        }
    }
}
