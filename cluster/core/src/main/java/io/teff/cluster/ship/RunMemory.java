package io.teff.cluster.ship;

import io.teff.engine.os.LazyMemory;
import io.teff.recovery.backup.RunWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Memory of runs, in sizes of powers of two, used again. Thread-safe.
 *
 * <p>How much is in use is known at any time: more than the limit keeps further changes from beginning. It does not
 * keep the drainer from taking records out of the ring, so at most the limit and the ring's size are in use.
 */
final class RunMemory {
    /** Size of a run at which the next one begins. */
    static final int RUN_BYTES = 256 << 10;

    private static final int BYTES_MIN = 1 << 10;
    private static final int FREE_BYTES_MAX = 16 << 20;

    private final Deque<MemorySegment>[] free;
    private long usedBytes;
    private long freeBytes;

    @SuppressWarnings({"unchecked", "rawtypes"})                 // an array of a generic type cannot be made
    RunMemory() {
        free = new Deque[Integer.SIZE];
        for (int i = 0; i < free.length; i++) {
            free[i] = new ArrayDeque<>();
        }
    }

    /** Returns memory for a run of at least these bytes of records. */
    MemorySegment take(long recordBytes, int bytesWanted) {
        assert recordBytes <= RunWriter.RUN_BYTES_MAX : recordBytes;
        final int bytes = (int) Math.max(BYTES_MIN, Math.max(bytesWanted, recordBytes + RunMessage.HEAD_BYTES));
        final int shift = Integer.SIZE - Integer.numberOfLeadingZeros(bytes - 1);
        synchronized (this) {
            usedBytes += 1L << shift;
            final MemorySegment known = free[shift].pollLast();
            if (known != null) {
                freeBytes -= 1L << shift;
                return known;
            }
        }
        return LazyMemory.allocate(Arena.ofAuto(), 1L << shift);
    }

    /** Takes memory back. */
    synchronized void give(MemorySegment memory) {
        usedBytes -= memory.byteSize();
        if (freeBytes + memory.byteSize() <= FREE_BYTES_MAX) {
            freeBytes += memory.byteSize();
            free[Long.numberOfTrailingZeros(memory.byteSize())].addLast(memory);
        }
    }

    /** Returns the bytes of runs that are not given back. */
    synchronized long usedBytes() {
        return usedBytes;
    }
}
