package io.teff.recovery.format;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.engine.os.DiskFile;
import io.teff.engine.os.Platform;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LittleEndianTest {
    private static final int BYTES = 4096;
    private static final int AT = 13;
    private static final long NUMBER = 0x8091_A2B3_C4D5_E6F7L;

    @TempDir
    private Path folder;

    /** Returns memory of each kind, by name. */
    private Map<String, MemorySegment> kinds() throws IOException {
        Map<String, MemorySegment> kinds = new LinkedHashMap<>();
        try (DiskFile file = Platform.SYSTEM.disk().create(folder.resolve("ring"), BYTES)) {
            kinds.put("mapped", file.map(BYTES));
        }
        kinds.put("native", Arena.ofAuto().allocate(BYTES));
        kinds.put("direct buffer", MemorySegment.ofBuffer(ByteBuffer.allocateDirect(BYTES)));
        kinds.put("array", MemorySegment.ofArray(new byte[BYTES]));
        kinds.put("array of longs", MemorySegment.ofArray(new long[BYTES / Long.BYTES]));
        return kinds;
    }

    @Test
    void numbers_inMemoryOfEachKind_areThoseThatWereWritten() throws IOException {
        kinds().forEach((kind, bytes) -> {
            LittleEndian.putLong(bytes, AT, NUMBER);
            assertEquals(NUMBER, LittleEndian.getLong(bytes, AT), kind);
            assertEquals((int) NUMBER, LittleEndian.getInt(bytes, AT), kind);
            assertEquals(0xE6F7, LittleEndian.getShort(bytes, AT), kind);
            assertEquals(0xF7, LittleEndian.getByte(bytes, AT), kind);
            assertEquals(0x80, LittleEndian.getByte(bytes, AT + 7), kind);
            LittleEndian.putInt(bytes, AT, 0x01020304);
            LittleEndian.putShort(bytes, AT + 4, 0xFEDC);
            LittleEndian.putByte(bytes, AT + 6, 0xAB);
            assertEquals(0x80AB_FEDC_0102_0304L, LittleEndian.getLong(bytes, AT), kind);
            assertEquals(0, LittleEndian.getByte(bytes, AT - 1), kind);
            assertEquals(0, LittleEndian.getByte(bytes, AT + 8), kind);
        });
    }

    @Test
    void numbers_withMemoryOrder_areThoseThatWereWritten() throws IOException {
        kinds().forEach((kind, bytes) -> {
            if (!kind.equals("array")) {
                LittleEndian.putLongRelease(bytes, 16, NUMBER);
                assertEquals(NUMBER, LittleEndian.getLongAcquire(bytes, 16), kind);
                assertEquals(NUMBER, LittleEndian.getLong(bytes, 16), kind);
            }
        });
    }

    @Test
    void numbers_beyondTheEnd_areRefused() throws IOException {
        kinds().forEach((kind, bytes) -> {
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.getByte(bytes, BYTES), kind);
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.getShort(bytes, BYTES - 1), kind);
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.getInt(bytes, BYTES - 3), kind);
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.getLong(bytes, BYTES - 7), kind);
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.putByte(bytes, -1, 1), kind);
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.putShort(bytes, BYTES - 1, 1), kind);
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.putInt(bytes, BYTES - 3, 1), kind);
            assertThrows(IndexOutOfBoundsException.class, () -> LittleEndian.putLong(bytes, BYTES - 7, 1), kind);
        });
    }

    /** Accesses to the write buffer, and to memory that messages arrive in, are fast only then. */
    @Test
    void classes_ofMappedAndNativeMemory_areKnown() throws IOException {
        kinds().forEach((kind, bytes) -> assertTrue(kind.startsWith("array") || LittleEndian.isKnown(bytes), kind));
    }
}
