package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.teff.engine.Cid;
import io.teff.engine.journal.ChangedBytes;
import io.teff.recovery.format.Change.Shown;
import io.teff.recovery.format.ManifestRecord.Begun;
import io.teff.recovery.format.ManifestRecord.Closed;
import io.teff.recovery.format.ManifestRecord.CopyDropped;
import io.teff.recovery.format.ManifestRecord.Opened;
import io.teff.recovery.format.ManifestRecord.RingSynced;
import io.teff.recovery.format.ManifestRecord.SegmentMade;
import io.teff.recovery.format.ManifestRecord.SegmentSealed;
import io.teff.recovery.format.ManifestRecord.SegmentsReplaced;
import io.teff.recovery.format.ManifestRecord.Trimmed;
import io.teff.recovery.format.ManifestRecord.ZoneDropped;
import io.teff.recovery.format.ManifestRecord.ZoneMade;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * Goal: files of versions 1 and 2 stay readable, and are written as FORMATS.md specifies. Method: files made by an
 * independent program in another language from that page alone; and the smallest parts byte for byte.
 */
final class GoldenTest {
    private static final long ZONE_BEGIN = 3 << 20;
    private static final byte[] NONE = {};

    private static final Change FIRST = put(1, 0, 100, 20, 1);
    private static final Change SECOND = put(2, 5, 101, 5, 2);
    private static final Change THIRD = change(Cid.of(7, ZONE_BEGIN + 3), 102, EntryKind.REMOVED, NONE);
    private static final Change FOURTH = change(Cid.of(9, 77), 103, EntryKind.PUT_READ_ONLY, payload(3, 3));
    private static final Change FIFTH = change(Cid.of(7, ZONE_BEGIN + 4), 104, EntryKind.LINK, link());
    private static final Change SIXTH = change(Cid.of(7, 1L << 40 | ZONE_BEGIN + 5), 105, EntryKind.RESERVED, NONE);

    private static final int VERSION_AT = 8;
    private static final Change BYTES = change(Cid.of(7, 1L << 40 | ZONE_BEGIN), 200, EntryKind.BYTES, bytesOf(100));

    /** A content of an entry of bytes: two parts of a chunk of 300 bytes. */
    private static byte[] bytesOf(long before) {
        byte[] payload = new byte[ChangedBytes.HEAD_BYTES + ChangedBytes.partBytes(5, 4)
            + ChangedBytes.partBytes(200, 3)];
        MemorySegment target = MemorySegment.ofArray(payload);
        long at = ChangedBytes.writePart(target, ChangedBytes.writeHead(target, 0, before, 300), 5, 4);
        target.set(ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN), at, 0x4030_2010);
        at = ChangedBytes.writePart(target, at + 4, 200, 3);
        target.asSlice(at, 3).fill((byte) 9);
        return payload;
    }

    private static Change change(long cid, long sequence, int kind, byte[] payload) {
        return Change.of(cid, sequence, Samples.SEGMENT, kind, payload);
    }

    private static Change put(long index, long generation, long sequence, int length, int seed) {
        return change(Cid.of(7, generation << 40 | ZONE_BEGIN + index), sequence, EntryKind.PUT, payload(length, seed));
    }

    private static byte[] payload(int length, int seed) {
        byte[] payload = new byte[length];
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) (seed + 7 * i);
        }
        return payload;
    }

    private static byte[] link() {
        byte[] link = new byte[ChainLink.HEAD_BYTES + 9];
        ChainLink.writeHead(MemorySegment.ofArray(link), 0, 0, 9);
        System.arraycopy(payload(9, 4), 0, link, ChainLink.HEAD_BYTES, 9);
        return link;
    }

    private static MemorySegment golden(String name) {
        try (InputStream in = GoldenTest.class.getResourceAsStream("/golden/" + name)) {
            byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
            MemorySegment copy = Samples.nativeBytes(bytes.length);
            copy.copyFrom(MemorySegment.ofArray(bytes));
            return copy;
        } catch (IOException e) {
            throw new AssertionError(name, e);
        }
    }

    private static void check(MemorySegment expected, MemorySegment actual) {
        assertEquals(-1, expected.mismatch(actual));
    }

    @Test
    void ring_ofVersion1() {
        MemorySegment file = golden("ring-v1.bin");
        assertNull(FileHead.problem(file, FileKind.RING, Samples.LOG, Samples.SALT));
        assertEquals(4096, FileHead.read(file, FileKind.RING).sizeBytes());
        assertEquals(4000, DrainedMark.read(file, Samples.SALT));
        Shown shown = new Shown();
        RingReader reader = new RingReader(file, Samples.SALT, 4096);
        assertEquals(4096 + 80, reader.read(4000, RingReader.End.POWER_CUT, shown));
        assertEquals(List.of(FIRST, SECOND, THIRD), shown.changes);
        reader.read(4000, RingReader.End.KILLED, shown);
        assertEquals(List.of(FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH), shown.changes.subList(3, 9));
        assertEquals(List.of(4000L, 4096L, 4216L, 4264L), shown.positions.subList(2, 6));
        assertEquals(List.of(false, true, false, false), shown.groups.subList(2, 6));

        MemorySegment written = Samples.nativeBytes(file.byteSize());
        FileHead.ring(Samples.LOG, Samples.SALT, 4096).write(written);
        DrainedMark.write(written, 3992, Samples.SALT);
        DrainedMark.write(written, 4000, Samples.SALT);
        RingWriter writer = new RingWriter(written, Samples.SALT, 4096);
        Samples.record(writer, 4000, false, written, FIRST);
        assertEquals(32, RingRecord.skipped(4064, Samples.recordBytes(SECOND, THIRD), 4096));
        writer.fill(4064);
        Samples.record(writer, 4096, true, written, SECOND, THIRD);
        Samples.record(writer, 4216, false, written, FOURTH);
        Samples.record(writer, 4264, false, written, FIFTH, SIXTH);
        check(file, written);
    }

    @Test
    void primary_ofVersion1() {
        MemorySegment file = golden("primary-v1.bin");
        assertNull(FileHead.problem(file, FileKind.PRIMARY, Samples.LOG, Samples.SALT));
        assertEquals(file.byteSize(), FileHead.read(file, FileKind.PRIMARY).sizeBytes());
        Shown shown = new Shown();
        FrameReader reader = new FrameReader(file, Samples.SALT);
        assertEquals(7, reader.firstNumber());
        assertEquals(FrameReader.End.CLEAN, reader.read(7, 0, shown));
        assertEquals(9, reader.nextNumber());
        assertEquals(List.of(FIRST, SECOND, THIRD, FOURTH, FIFTH, SIXTH), shown.changes);
        assertEquals(List.of(4000L, 4096L, 4216L, 4264L), shown.positions);

        MemorySegment ring = golden("ring-v1.bin");
        MemorySegment written = Samples.nativeBytes(file.byteSize());
        FileHead.primary(Samples.LOG, Samples.SALT, file.byteSize()).write(written);
        MemorySegment frame = written.asSlice(4096, 4096);
        MemorySegment.copy(ring, 8096, frame, FrameWriter.HEAD_BYTES, 64);
        MemorySegment.copy(ring, 4096, frame, FrameWriter.HEAD_BYTES + 64, 80);
        assertEquals(4096, new FrameWriter(frame, Samples.SALT).finish(7, 4000, 144));
        check(file.asSlice(0, 8192), written.asSlice(0, 8192));
    }

    @Test
    void segment_ofVersion1() {
        List<Change> changes = List.of(FIRST, put(300, 5, 101, 300, 2),
            change(Cid.of(7, ZONE_BEGIN + 3), 90, EntryKind.REMOVED, NONE),
            change(Cid.of(9, 77), 5000, EntryKind.PUT_READ_ONLY, payload(3, 3)),
            change(Cid.of(7, ZONE_BEGIN + 70_000), 104, EntryKind.LINK, link()),
            change(Cid.of(7, 1L << 40 | ZONE_BEGIN + (1 << 24)), 105, EntryKind.RESERVED, NONE),
            change(Cid.of(7, 2L << 40 | 5), 3, EntryKind.PUT, NONE));
        MemorySegment file = golden("segment-v1.bin");
        Shown shown = new Shown();
        SegmentReport report = new SegmentReader(file).read(file.byteSize(), Samples.HEAD, true, shown);
        assertEquals(changes, shown.changes);
        assertEquals(List.of(), report.damage());
        assertEquals(file.byteSize(), report.end());

        byte[] written = new byte[(int) file.byteSize()];
        SegmentWriter writer = Samples.writer(new BlockBuffer(4096), 1 << 20);
        Samples.Segment.put(written, writer, writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT));
        changes.subList(0, 4).forEach(change -> Samples.Segment.add(writer, change));
        Samples.Segment.put(written, writer, writer.block(writer.bytes()));
        changes.subList(4, 7).forEach(change -> Samples.Segment.add(writer, change));
        Samples.Segment.put(written, writer, writer.block(writer.bytes()));
        Samples.Segment.put(written, writer, writer.seal());
        assertEquals(FileHead.VERSION_OF_BYTES, written[VERSION_AT]);
        written[VERSION_AT] = FileHead.VERSION;                 // else the versions have the same bytes
        check(file, MemorySegment.ofArray(written));
    }

    /** Version 4 has the bytes of version 1, and a kind of entries more. */
    @Test
    void segment_ofVersion4() {
        List<Change> changes = List.of(FIRST, BYTES, change(Cid.of(9, 77), 5000, EntryKind.BYTES, bytesOf(4000)),
            change(Cid.of(7, 1L << 40 | ZONE_BEGIN + 300), 200, EntryKind.BYTES, bytesOf(199)));
        byte[] written = new byte[3 * FileHead.BYTES];
        SegmentWriter writer = Samples.writer(new BlockBuffer(4096), 1 << 20);
        Samples.Segment.put(written, writer, writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT));
        changes.forEach(change -> Samples.Segment.add(writer, change));
        Samples.Segment.put(written, writer, writer.block(writer.bytes()));
        Samples.Segment.put(written, writer, writer.seal());
        MemorySegment file = golden("segment-v4.bin");
        Shown shown = new Shown();
        SegmentReport report = new SegmentReader(file).read(file.byteSize(), Samples.HEAD, true, shown);
        assertEquals(changes, shown.changes);
        assertEquals(List.of(), report.damage());
        check(file, MemorySegment.ofArray(written));
    }

    @Test
    void ring_withBytesOfChunks() {
        MemorySegment written = Samples.nativeBytes(FileHead.BYTES + 4096);
        FileHead.ring(Samples.LOG, Samples.SALT, 4096).write(written);
        DrainedMark.write(written, 4096, Samples.SALT);
        Samples.record(new RingWriter(written, Samples.SALT, 4096), 4096, true, written, FIRST, BYTES);
        MemorySegment file = golden("ring-v1-bytes.bin");
        Shown shown = new Shown();
        new RingReader(file, Samples.SALT, 4096).read(4096, RingReader.End.POWER_CUT, shown);
        assertEquals(List.of(FIRST, BYTES), shown.changes);
        check(file, written);
    }

    @Test
    void manifest_ofVersion1() {
        ZoneId zone = new ZoneId(7, 3);
        ZoneId last = new ZoneId(7, -1);
        List<ManifestRecord> records = List.of(new ManifestRecord.Log(ManifestSamples.LOG.logId(),
            ManifestSamples.LOG.salt(), ManifestSamples.LOG.segmentBytes(), ManifestSamples.LOG.nid(),
            FileHead.VERSION), new ZoneMade(zone),
            new SegmentMade(zone.segment(42)), new SegmentSealed(zone.segment(42)), new Trimmed(9),
            new Closed(8192, 500), new Begun(6, 43),
            new Opened(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff")), new ZoneMade(last),
            new SegmentMade(zone.segment(43)), new SegmentsReplaced(zone, List.of(44L), List.of(42L, 43L)),
            new ZoneDropped(last), new Trimmed(12), new RingSynced());
        MemorySegment file = golden("manifest-v1.bin");
        ManifestReader.Result result = ManifestReader.read(file);
        assertNull(result.damage());
        assertEquals(file.byteSize(), result.bytes());
        assertEquals(Map.of(44L, true), result.state().segments(zone));
        assertEquals(ManifestSamples.text(ManifestSamples.state(records.subList(1, 14).toArray(ManifestRecord[]::new))),
            ManifestSamples.text(result.state()));
        ByteBuffer written = ByteBuffer.allocate((int) file.byteSize());
        records.forEach(record -> written.put(ManifestWriter.bytes(record)));
        check(file, MemorySegment.ofArray(written.array()));
    }

    @Test
    void manifest_ofVersion2() {
        ZoneId zone = new ZoneId(7, ZoneId.ofCopy(4, 5));
        List<ManifestRecord> records = List.of(ManifestSamples.BACKUP, new CopyDropped(7, 3), new ZoneMade(zone),
            new SegmentMade(zone.segment(42)), new SegmentSealed(zone.segment(42)), new Trimmed(9),
            new Closed(8192, 500), new Begun(7, 43),
            new Opened(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff")), new CopyDropped(9, 0),
            new CopyDropped(7, 3), new RingSynced());
        MemorySegment file = golden("manifest-v2.bin");
        ManifestReader.Result result = ManifestReader.read(file);
        assertNull(result.damage());
        assertEquals(file.byteSize(), result.bytes());
        assertEquals(Map.of(42L, true), result.state().segments(zone));
        assertEquals(Map.of(7, 3, 9, 0), result.state().droppedCopies());
        ByteBuffer written = ByteBuffer.allocate((int) file.byteSize());
        records.forEach(record -> written.put(ManifestWriter.bytes(record)));
        check(file, MemorySegment.ofArray(written.array()));
    }

    @Test
    void segment_ofVersion2() {
        SegmentId id = new SegmentId(7, ZoneId.ofCopy(4, 5), 42);
        long number = 0x8003L << RunLayout.COUNTER_BITS | 41;
        List<Change> changes = List.of(
            Change.of(Cid.of(7, (5 << 20) + 1), number, id, EntryKind.PUT, new byte[] {'a', 'b', 'c'}),
            Change.of(Cid.of(7, (5 << 20) + 2), number - 1, id, EntryKind.REMOVED, NONE),
            Change.of(NumberMark.cid(7), number + 1, id, EntryKind.REMOVED, NONE),
            Change.of(Cid.of(7, 9L << 40 | (6 << 20) - 1), 0x8004L << RunLayout.COUNTER_BITS | 43, id,
                EntryKind.PUT_READ_ONLY, NONE));
        MemorySegment file = golden("segment-v2.bin");
        Shown shown = new Shown();
        SegmentReport report = new SegmentReader(file).read(file.byteSize(),
            FileHead.segment(Samples.LOG, Samples.SALT, id), true, shown);
        assertEquals(List.of(), report.damage());
        assertEquals(changes, shown.changes);
        byte[] written = new byte[(int) file.byteSize()];
        SegmentWriter writer = Samples.writer(new BlockBuffer(4096), 1 << 20);
        Samples.Segment.put(written, writer, writer.open(Samples.LOG, Samples.SALT, id));
        changes.forEach(change -> Samples.Segment.add(writer, change));
        Samples.Segment.put(written, writer, writer.block(writer.bytes()));
        Samples.Segment.put(written, writer, writer.seal());
        check(file, MemorySegment.ofArray(written));
    }

    // ---- byte for byte ----

    /** Parses the bytes, without the comments. */
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replaceAll("//[^\n]*|\\s", ""));
    }

    private static void check(String expected, MemorySegment actual, long from) {
        byte[] bytes = hex(expected);
        assertArrayEquals(bytes, actual.asSlice(from, bytes.length).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void bytes_ofARingAndAFrame() {
        check("""
            5445464652494e47 01000000 eed9e607      // TEFFRING, version, crc32c
            8877665544332211 efcdab8967452301       // log id, salt
            0010000000000000 0000000000000000       // capacity, zero
            980f000000000000 809aca4c0cf306f6       // drained 3992, its stamp
            a00f000000000000 88818772fd45a6fe       // drained 4000, its stamp
            """, golden("ring-v1.bin"), 0);
        check("""
            88818772fd45a6fe f5663105 40000000      // stamp of 4000, crc32c, length
            0100300000000700 6400000000000000       // CID 7:3145729.0, sequence
            0700 0100 03000000 14000000             // owner, kind, zone, length
            01080f161d242b323940474e555c636a71787f86
            b8e1b8a563a95672 fafa03a1 10000000      // stamp of 4064, crc32c, length: nothing up to the end
            """, golden("ring-v1.bin"), 8096);
        check("""
            f9d6883fb18093d4 12173273 90000000      // stamp of 7, crc32c, length
            a00f000000000000 0700000000000000       // first position, number
            88818772fd45a6fe                        // first record
            """, golden("primary-v1.bin"), 4096);
    }

    @Test
    void bytes_ofABlock() {
        SegmentWriter writer = Samples.writer(new BlockBuffer(4096), 1 << 20);
        writer.open(Samples.LOG, Samples.SALT, Samples.SEGMENT);
        Samples.Segment.add(writer, change(Cid.of(7, 5L << 40 | ZONE_BEGIN + 300), 100, EntryKind.PUT,
            new byte[] {'a', 'b', 'c'}));
        Samples.Segment.add(writer, change(Cid.of(7, ZONE_BEGIN + 1), 98, EntryKind.REMOVED, NONE));
        check("""
            eadcf0fc8b644439 47ee2d8a 14000000      // stamp of 4096, crc32c, length
            6400000000000000 00100000 02000000      // first sequence, synced, count
            69 2c01 05 03 00 616263 ae073104        // put, index 300, generation 5, length 3, sequence + 0, abc, check
            03 01 03 8cb1fd18                       // removed, index 1, sequence - 2, check
            """, MemorySegment.ofBuffer(writer.block(4096)), 0);
    }

    @Test
    void bytes_ofAManifest() {
        check("""
            9fe134fc 24000000 0100                  // crc32c, length, log
            544546464d414e49 01000000 00008000      // TEFFMANI, version, bytes of a segment
            8877665544332211 efcdab8967452301       // log id, salt
            07000000                                // NID
            27c257fa 06000000 0200 0700 03000000    // zone made: owner, zone
            """, golden("manifest-v1.bin"), 0);
    }
}
