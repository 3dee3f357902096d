package io.teff.rdma.ucx.call;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * Bytes outside of the heap: segments of callers, which are checked, and memory of UCX, by addresses that UCX has
 * given.
 */
public final class Native {
    /** All memory of the process. */
    private static final MemorySegment ALL = all();

    private Native() {}

    @SuppressWarnings("restricted")
    private static MemorySegment all() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** Returns memory of UCX as a segment that ends with an arena. */
    @SuppressWarnings("restricted")
    public static MemorySegment segment(long address, long size, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(size, arena, null);
    }

    /**
     * Returns the address of a part of a caller's segment that UCX may read, after all checks.
     *
     * @throws IllegalArgumentException if the segment is on the heap
     * @throws IndexOutOfBoundsException if the part is not inside
     * @throws IllegalStateException if the segment's arena is closed
     * @throws WrongThreadException if the arena belongs to another thread
     */
    public static long source(MemorySegment segment, long offset, long length) {
        Objects.checkFromIndexSize(offset, length, segment.byteSize());
        if (!segment.isNative()) {
            throw new IllegalArgumentException("a segment on the heap: " + segment);
        }
        if (!segment.scope().isAlive()) {
            throw new IllegalStateException("the arena of the segment is closed");
        }
        if (!segment.isAccessibleBy(Thread.currentThread())) {
            throw new WrongThreadException("the segment belongs to another thread");
        }
        return segment.address() + offset;
    }

    /** Returns the same for a part that UCX may write. */
    public static long target(MemorySegment segment, long offset, long length) {
        if (segment.isReadOnly()) {
            throw new IllegalArgumentException("a segment that is read-only: " + segment);
        }
        return source(segment, offset, length);
    }

    public static byte getByte(long address) {
        return ALL.get(ValueLayout.JAVA_BYTE, address);
    }

    public static int getInt(long address) {
        return ALL.get(ValueLayout.JAVA_INT_UNALIGNED, address);
    }

    public static long getLong(long address) {
        return ALL.get(ValueLayout.JAVA_LONG_UNALIGNED, address);
    }

    public static void putInt(long address, int value) {
        ALL.set(ValueLayout.JAVA_INT_UNALIGNED, address, value);
    }

    public static void putLong(long address, long value) {
        ALL.set(ValueLayout.JAVA_LONG_UNALIGNED, address, value);
    }

    /** Copies bytes of UCX into a segment, which may be on the heap. */
    public static void copy(long address, MemorySegment target, long offset, long length) {
        MemorySegment.copy(ALL, address, target, offset, length);
    }

    /** Returns a copy of bytes of UCX. */
    public static byte[] bytes(long address, int length) {
        final byte[] copy = new byte[length];
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, address, copy, 0, length);
        return copy;
    }

    /** Returns bytes as a segment outside of the heap, on 8 bytes. */
    public static MemorySegment copyOf(byte[] bytes, int offset, int length, Arena arena) {
        final MemorySegment copy = arena.allocate(Math.max(length, 1), Long.BYTES);
        MemorySegment.copy(bytes, offset, copy, ValueLayout.JAVA_BYTE, 0, length);
        return copy;
    }

    /** Returns a string of C. */
    public static long text(String text, Arena arena) {
        return arena.allocateFrom(text, StandardCharsets.UTF_8).address();
    }
}
