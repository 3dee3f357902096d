package io.teff.test.bench.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import org.junit.jupiter.api.Test;

/** Memory is seen wherever it is: outside of the heap by the resident set, on it by the live bytes. */
final class ProcessMemoryTest {
    private static final long BYTES = 64L << 20;
    private static final long BLOCK_BYTES = 64 << 10;
    /** The JVM itself grows and shrinks meanwhile. */
    private static final long NOISE_BYTES = 16L << 20;
    private static final int QUIET_LOOKS = 8;

    /** The heap of this JVM gives memory back after a collection, and takes its time; a session's heap does not. */
    private static ProcessMemory settled() {
        ProcessMemory last = ProcessMemory.now();
        for (int quiet = 0; quiet < QUIET_LOOKS; ) {
            ProcessMemory next = ProcessMemory.now();
            quiet = last.residentBytes() - next.residentBytes() > NOISE_BYTES / QUIET_LOOKS ? 0 : quiet + 1;
            last = next;
        }
        return last;
    }

    @Test
    void since_bothParts_areAdded() {
        assertEquals(100 - 70 + 30 - 25, new ProcessMemory(100, 30).since(new ProcessMemory(70, 25)));
    }

    @Test
    void residentBytes_touchedMemoryOutsideOfTheHeap_isIn() {
        ProcessMemory before = settled();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(BYTES).fill((byte) 1);
            ProcessMemory after = ProcessMemory.now();
            assertTrue(after.residentBytes() - before.residentBytes() >= BYTES - NOISE_BYTES, () -> memory + " makes "
                + before + " to " + after);
        }
    }

    /** The C library by itself returns only memory behind all blocks in use. */
    @Test
    void residentBytes_smallBlocksFreedInFrontOfOthers_areNotIn() {
        ProcessMemory before = settled();
        try (Arena last = Arena.ofConfined()) {
            try (Arena arena = Arena.ofConfined()) {
                for (long bytes = 0; bytes < BYTES; bytes += BLOCK_BYTES) {
                    arena.allocate(BLOCK_BYTES).fill((byte) 1);
                }
                last.allocate(BLOCK_BYTES).fill((byte) 1);
            }
            ProcessMemory after = ProcessMemory.now();
            assertTrue(after.residentBytes() - before.residentBytes() <= NOISE_BYTES, () -> before + " to " + after);
        }
    }

    @Test
    void heapBytes_liveAndDeadArrays_areTheLiveOnes() {
        ProcessMemory before = ProcessMemory.now();
        byte[] live = new byte[(int) BYTES];
        ProcessMemory between = ProcessMemory.now();
        Reference.reachabilityFence(live);
        live = null;
        ProcessMemory after = ProcessMemory.now();
        assertTrue(Math.abs(between.heapBytes() - before.heapBytes() - BYTES) <= NOISE_BYTES, () -> before + ", "
            + between);
        assertTrue(Math.abs(after.heapBytes() - before.heapBytes()) <= NOISE_BYTES, () -> before + ", " + after);
    }
}
