package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.Cid;
import java.lang.foreign.MemorySegment;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Goal: the header of an entry is read as it was written. Method: all fields at the edges of their widths, crossed. */
final class SegmentEntryTest {
    private static final SegmentId ID = new SegmentId(0xFFFE, 5, 1);
    private static final long FIRST = 5L << 20;
    private static final long[] INDEXES = {0, 1, 127, 255, 256, 65_535, 65_536, (1 << 24) - 1, 1 << 24,
        SegmentEntry.FOREIGN - 1};
    private static final int[] GENERATIONS = {0, 1, 127, 128, 255};
    private static final int[] LENGTHS = {0, 1, 64, 255, 256, 65_535, 65_536, SegmentEntry.LENGTH_MAX};

    private final MemorySegment bytes = Samples.nativeBytes(SegmentEntry.HEAD_BYTES_MAX + SegmentEntry.LENGTH_MAX + 16);
    private final SegmentEntry entry = new SegmentEntry();

    private static long[] deltas() {
        long[] deltas = new long[4 * Long.SIZE + 1];
        for (int bit = 0; bit < Long.SIZE; bit++) {
            deltas[4 * bit] = 1L << bit;
            deltas[4 * bit + 1] = (1L << bit) - 1;
            deltas[4 * bit + 2] = -(1L << bit);
            deltas[4 * bit + 3] = -(1L << bit) - 1;
        }
        return deltas;
    }

    private void check(int kind, long index, int generation, int length, long delta) {
        long payload = SegmentEntry.write(bytes, 1, kind, index, generation, length, delta);
        long end = payload + length + SegmentLayout.CHECK_BYTES;
        assertTrue(payload <= 1 + SegmentEntry.HEAD_BYTES_MAX);
        assertTrue(entry.read(bytes, 1, end, ID));
        assertEquals(kind, entry.kind());
        assertEquals(Cid.of(ID.owner(), (long) generation << 40 | FIRST + index), entry.cid());
        assertEquals(delta, entry.delta());
        assertEquals(payload, entry.payloadAt());
        assertEquals(length, entry.length());
        assertEquals(end - SegmentLayout.CHECK_BYTES, entry.checkAt());
        assertFalse(entry.read(bytes, 1, end - 1, ID), "it is shorter than that");
    }

    @Test
    void read_ofFieldsAtAllEdges_givesThemBack() {
        for (int kind = EntryKind.PUT; kind <= EntryKind.LINK_READ_ONLY; kind++) {
            for (long index : INDEXES) {
                for (int generation : GENERATIONS) {
                    for (int length : LENGTHS) {
                        for (long delta : deltas()) {
                            check(kind, index, generation, length, delta);
                        }
                    }
                }
            }
        }
    }

    @Property
    void read_ofAnyDelta_givesItBack(@ForAll long delta) {
        check(EntryKind.PUT, 1, 0, 1, delta);
    }

    @Test
    void write_ofASmallChunk_takesTenBytesWithItsCheck() {
        assertEquals(6, SegmentEntry.write(bytes, 0, EntryKind.PUT, 1 << 19, 0, 64, 1));
        assertEquals(10, 6 + SegmentLayout.CHECK_BYTES);
    }

    @Test
    void indexOf_aCidThatIsNotInReach_isForeign() {
        assertEquals(0, SegmentEntry.indexOf(Cid.of(7, FIRST), 7, 5));
        assertEquals(0, SegmentEntry.indexOf(Cid.of(7, 9L << 40 | FIRST), 7, 5));
        assertEquals(SegmentEntry.FOREIGN - 1, SegmentEntry.indexOf(Cid.of(7, FIRST + SegmentEntry.FOREIGN - 1), 7, 5));
        assertEquals(SegmentEntry.FOREIGN, SegmentEntry.indexOf(Cid.of(7, FIRST + SegmentEntry.FOREIGN), 7, 5));
        assertEquals(SegmentEntry.FOREIGN, SegmentEntry.indexOf(Cid.of(7, FIRST - 1), 7, 5));
        assertEquals(SegmentEntry.FOREIGN, SegmentEntry.indexOf(Cid.of(8, FIRST), 7, 5));
        assertEquals(SegmentEntry.FOREIGN, SegmentEntry.indexOf(Cid.of(7, FIRST), 7, -1));
        assertEquals(0, SegmentEntry.indexOf(Cid.of(7, 0xF_FFFFL << 20), 7, 0xF_FFFF));
    }

    @Test
    void read_ofAForeignCid_takesItFromThePayload() {
        long payload = SegmentEntry.write(bytes, 0, EntryKind.PUT, SegmentEntry.FOREIGN, 0, 8 + 5, 0);
        LittleEndian.putLong(bytes, payload, -2);
        assertTrue(entry.read(bytes, 0, 100, ID));
        assertEquals(-2, entry.cid());
        assertEquals(5, entry.length());
        assertEquals(payload + 8, entry.payloadAt());
        SegmentEntry.write(bytes, 0, EntryKind.PUT, SegmentEntry.FOREIGN, 0, 7, 0);
        assertFalse(entry.read(bytes, 0, 100, ID));
    }

    @Test
    void read_ofAnIndexBehindTheLastOne_isRefused() {
        SegmentEntry.write(bytes, 0, EntryKind.PUT, 1 << 20, 0, 7, 0);
        assertTrue(entry.read(bytes, 0, 100, new SegmentId(1, 0xF_FFFE, 1)));
        assertFalse(entry.read(bytes, 0, 100, new SegmentId(1, 0xF_FFFF, 1)));
    }

    /** All pairs of first bytes, followed by each number of worst-case bytes. */
    @Test
    void read_ofAnyBytes_staysWithinThem() {
        for (int fill : new int[] {0, 0x7F, 0x80, 0xFF}) {
            bytes.asSlice(0, 64).fill((byte) fill);
            for (int first = 0; first < 1 << 16; first++) {
                LittleEndian.putShort(bytes, 0, first);
                for (int end = 0; end <= 24; end++) {
                    if (entry.read(bytes.asSlice(0, end), 0, end, ID)) {
                        assertTrue(entry.checkAt() + SegmentLayout.CHECK_BYTES <= end);
                        assertTrue(entry.kind() != 0);
                    }
                }
            }
        }
    }
}
