package io.teff.cluster.net.ring;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory of rings, which connections have only while they send. All of it is zero when it is taken and when it comes
 * back. The pool keeps as much for later as is in use, or 4 MiB; the rest goes with the garbage, so that nobody can
 * write where nothing is any more. Thread-safe.
 */
public final class RingPool {
    /** So much is kept for later, or as much as is in use. */
    private static final long SPARE_BYTES_MIN = 4 << 20;

    private final long bytesMax;
    private final Map<Integer, Deque<MemorySegment>> free = new HashMap<>();
    private long allocatedBytes;
    private long takenBytes;

    /**
     * Makes an empty pool.
     *
     * @param bytesMax most bytes that it has ever
     */
    public RingPool(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /**
     * Takes memory for a ring.
     *
     * @param capacity of the ring
     * @return zeros, or null if there is none left
     */
    public synchronized @Nullable MemorySegment take(int capacity) {
        final int bytes = SendRing.bytes(capacity);
        final Deque<MemorySegment> same = free.computeIfAbsent(capacity, _ -> new ArrayDeque<>());
        if (same.isEmpty() && allocatedBytes + bytes > bytesMax) {
            return null;
        }
        if (same.isEmpty()) {
            same.push(Arena.ofAuto().allocate(bytes, Long.BYTES));
            allocatedBytes += bytes;
        }
        takenBytes += bytes;
        return same.pop();
    }

    /**
     * Gives memory back.
     *
     * @param memory that was taken, zeros
     * @param capacity for which it was taken
     */
    public synchronized void giveBack(MemorySegment memory, int capacity) {
        takenBytes -= memory.byteSize();
        free.computeIfAbsent(capacity, _ -> new ArrayDeque<>()).push(memory);
        for (Deque<MemorySegment> same : free.values()) {
            while (!same.isEmpty() && allocatedBytes - takenBytes > Math.max(SPARE_BYTES_MIN, takenBytes)) {
                allocatedBytes -= same.pop().byteSize();
            }
        }
    }

    /** {@return bytes of all rings that there are} */
    public synchronized long takenBytes() {
        return takenBytes;
    }

    /** {@return bytes of all memory that there is, used or not} */
    public synchronized long allocatedBytes() {
        return allocatedBytes;
    }
}
