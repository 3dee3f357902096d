package io.teff.engine.os;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * Memory of which the system gives a page when the page is first touched. An arena writes zeros into all of its memory
 * at once, so a large buffer takes its whole length also if nothing is ever in it.
 */
public final class LazyMemory {
    /** Shorter memory comes from the arena: a mapping takes 2 MiB of addresses more. */
    private static final long BYTES_MIN = 1 << 20;

    private LazyMemory() {}

    /**
     * Allocates memory of zeros. Without native access, and for less than 1 MiB, all of the memory is touched.
     *
     * @param arena ends the memory
     * @param bytes the size; of 1 MiB or more a multiple of 8
     * @return the memory, on 8 bytes
     */
    @SuppressWarnings("restricted")
    public static MemorySegment allocate(Arena arena, long bytes) {
        final LinuxMemory.Reservation space = bytes >= BYTES_MIN && LinuxMemory.available()
            ? LinuxMemory.reserve(pages(bytes)) : null;
        return space == null ? arena.allocate(bytes, Long.BYTES)
            : MemorySegment.ofAddress(space.start()).reinterpret(bytes, arena, _ -> space.unmap());
    }

    /**
     * Allocates a buffer of zeros, which lives as long as it is reachable; see {@link #allocate}.
     *
     * @param bytes the size
     * @return the buffer
     */
    public static ByteBuffer buffer(int bytes) {
        return allocate(Arena.ofAuto(), bytes).asByteBuffer();
    }

    private static long pages(long bytes) {
        return bytes + LinuxMemory.PAGE_BYTES - 1 & -LinuxMemory.PAGE_BYTES;
    }
}
