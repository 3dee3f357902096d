package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory that comes page by page is memory of an arena: zeros, of the whole length, until the arena ends. */
class LazyMemoryTest {
    @ParameterizedTest
    @ValueSource(longs = {64, 1 << 12, (1 << 20) - 8, 1 << 20, (1 << 20) + 4_096 + 8, 5 << 20})
    void memory_isOfZeros_andEndsWithItsArena(long bytes) {
        MemorySegment memory;
        try (Arena arena = Arena.ofShared()) {
            memory = LazyMemory.allocate(arena, bytes);
            assertEquals(bytes, memory.byteSize());
            assertEquals(0, memory.address() % Long.BYTES);
            assertEquals(-1, memory.mismatch(arena.allocate(bytes)));
            LongStream.of(0, bytes / 2, bytes - 1).forEach(at -> memory.set(ValueLayout.JAVA_BYTE, at, (byte) at));
            assertEquals((byte) (bytes - 1), memory.get(ValueLayout.JAVA_BYTE, bytes - 1));
            assertThrows(IndexOutOfBoundsException.class, () -> memory.get(ValueLayout.JAVA_BYTE, bytes));
        }
        assertFalse(memory.scope().isAlive());
    }
}
