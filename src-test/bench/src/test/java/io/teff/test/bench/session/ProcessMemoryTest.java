package io.teff.test.bench.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.ref.Reference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Memory is seen wherever it is: outside of the heap by the resident set, on it by the live bytes. */
final class ProcessMemoryTest {
    private static final long BYTES = 64L << 20;
    private static final long BLOCK_BYTES = 64 << 10;
    /** The JVM itself grows and shrinks meanwhile. */
    private static final long NOISE_BYTES = 16L << 20;
    private static final int QUIET_LOOKS = 8;
    private static final int LOOKS = 5;

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

    /** Looks again if this JVM has grown or shrunk by more than the noise: where memory is not seen, it never is. */
    private static void look(BooleanSupplier isAsExpected) {
        boolean isSeen = false;
        for (int i = 0; i < LOOKS && !isSeen; i++) {
            isSeen = isAsExpected.getAsBoolean();
        }
        assertTrue(isSeen, "none of " + LOOKS + " looks has seen the memory as it is");
    }

    private static long residentSince(ProcessMemory before) {
        ProcessMemory after = ProcessMemory.now();
        System.out.println("resident: " + before + " to " + after);
        return after.residentBytes() - before.residentBytes();
    }

    @Test
    void residentBytes_touchedMemoryOutsideOfTheHeap_isIn() {
        look(() -> {
            ProcessMemory before = settled();
            try (Arena arena = Arena.ofConfined()) {
                arena.allocate(BYTES).fill((byte) 1);
                return residentSince(before) >= BYTES - NOISE_BYTES;
            }
        });
    }

    /** The C library by itself returns only memory behind all blocks in use. */
    @Test
    void residentBytes_smallBlocksFreedInFrontOfOthers_areNotIn() {
        look(() -> {
            ProcessMemory before = settled();
            try (Arena last = Arena.ofConfined()) {
                try (Arena arena = Arena.ofConfined()) {
                    for (long bytes = 0; bytes < BYTES; bytes += BLOCK_BYTES) {
                        arena.allocate(BLOCK_BYTES).fill((byte) 1);
                    }
                    last.allocate(BLOCK_BYTES).fill((byte) 1);
                }
                return residentSince(before) <= NOISE_BYTES;
            }
        });
    }

    @Test
    void heapBytes_liveAndDeadArrays_areTheLiveOnes() {
        look(() -> {
            ProcessMemory before = ProcessMemory.now();
            byte[] live = new byte[(int) BYTES];
            ProcessMemory between = ProcessMemory.now();
            Reference.reachabilityFence(live);
            live = null;
            ProcessMemory after = ProcessMemory.now();
            System.out.println("heap: " + before + ", " + between + ", " + after);
            return Math.abs(between.heapBytes() - before.heapBytes() - BYTES) <= NOISE_BYTES
                && Math.abs(after.heapBytes() - before.heapBytes()) <= NOISE_BYTES;
        });
    }
}
