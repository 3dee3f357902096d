package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: a header is read as it was written, and an invalid one is refused with a message that names the error. */
final class FileHeadTest {
    private static final List<FileHead> HEADS = List.of(FileHead.ring(Samples.LOG, Samples.SALT, 1 << 16),
        FileHead.primary(Samples.LOG, Samples.SALT, 1 << 20), Samples.HEAD,
        FileHead.segment(Samples.LOG, Samples.SALT, new SegmentId(0xFFFE, -1, -1)));

    private static MemorySegment page(FileHead head) {
        MemorySegment page = MemorySegment.ofArray(new byte[FileHead.BYTES]);
        page.fill((byte) -1);
        head.write(page);
        return page;
    }

    private static String problem(MemorySegment page, FileKind kind, long log, long salt) {
        return String.valueOf(FileHead.problem(page, kind, log, salt));
    }

    @Test
    void read_ofAnyHead_isTheWrittenHead() {
        for (FileHead head : HEADS) {
            MemorySegment page = page(head);
            assertNull(FileHead.problem(page, head.kind(), Samples.LOG, Samples.SALT));
            assertEquals(head, FileHead.read(page, head.kind()));
            assertTrue(LittleEndian.isZero(page, FileHead.CHECKED_END, FileHead.BYTES));
        }
        assertEquals(Samples.SEGMENT, Samples.HEAD.segmentId());
        assertEquals(new SegmentId(0xFFFE, -1, -1), HEADS.getLast().segmentId());
        assertEquals(1 << 16, HEADS.getFirst().sizeBytes());
    }

    @Test
    void problem_ofAnotherFile_hasItsReason() {
        MemorySegment page = page(HEADS.getFirst());
        assertEquals("it does not begin with TEFFPRIM", problem(page, FileKind.PRIMARY, Samples.LOG, Samples.SALT));
        assertEquals("it belongs to log 1122334455667788, not to 0000000000000005",
            problem(page, FileKind.RING, 5, Samples.SALT));
        assertEquals("it has another salt than its log", problem(page, FileKind.RING, Samples.LOG, 5));
        assertEquals("its first page is cut off",
            problem(page.asSlice(0, FileHead.BYTES - 1), FileKind.RING, Samples.LOG, Samples.SALT));
        LittleEndian.putInt(page, 8, 2);
        assertEquals("its version is 2, not 1", problem(page, FileKind.RING, Samples.LOG, Samples.SALT));
        LittleEndian.putInt(page, 8, 1);
        LittleEndian.putInt(page, 12, 1);
        assertEquals("the checksum of its first page is wrong",
            problem(page, FileKind.RING, Samples.LOG, Samples.SALT));
    }

    @Test
    void problem_ofSizesThatCannotBe_isFound() {
        for (long first : new long[] {0, 4095, 4097, 12_288, 1L << 31, -1}) {
            MemorySegment page = page(new FileHead(FileKind.RING, Samples.LOG, Samples.SALT, first, 0));
            assertEquals("its first page says what cannot be",
                problem(page, FileKind.RING, Samples.LOG, Samples.SALT), "" + first);
        }
        for (long first : new long[] {0, 4096, 8193, 1L << 31, -4096}) {
            MemorySegment page = page(new FileHead(FileKind.PRIMARY, Samples.LOG, Samples.SALT, first, 0));
            assertNotNull(FileHead.problem(page, FileKind.PRIMARY, Samples.LOG, Samples.SALT), "" + first);
        }
        for (long first : new long[] {0xFFFF, 1 << 16, -1}) {
            MemorySegment page = page(new FileHead(FileKind.SEGMENT, Samples.LOG, Samples.SALT, first, 0));
            assertNotNull(FileHead.problem(page, FileKind.SEGMENT, Samples.LOG, Samples.SALT), "" + first);
        }
    }

    @Test
    void problem_ofEachFlippedBit_isFound() {
        for (FileHead head : HEADS) {
            MemorySegment page = page(head);
            for (int bit = 0; bit < FileHead.CHECKED_END * Byte.SIZE; bit++) {
                Flips.flip(page, bit);
                assertNotNull(FileHead.problem(page, head.kind(), Samples.LOG, Samples.SALT), "bit " + bit);
                Flips.flip(page, bit);
            }
        }
    }

    @Test
    void fileName_ofASegment_leadsBack() {
        assertEquals("0007-00000003-000000000000002a", Samples.SEGMENT.fileName());
        for (FileHead head : HEADS.subList(2, 4)) {
            assertEquals(head.segmentId(), SegmentId.ofFileName(head.segmentId().fileName()));
        }
        for (String name : List.of("", "0007-00000003-000000000000002A", "0007-00000003-000000000000002",
            "ffff-00000003-000000000000002a", "0007 00000003-000000000000002a", "lost+found",
            "000x-00000003-000000000000002a")) {
            assertNull(SegmentId.ofFileName(name), name);
        }
    }
}
