package io.teff.cluster.net.loop;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Bytes from one thread to another, in a ring. One agent writes, one reads; positions only rise, each written by one
 * of them with release, so that the bytes in front of it are seen by the other.
 */
final class LoopPipe {
    static final int CAPACITY = 256 << 10;

    private final MemorySegment memory = Arena.ofAuto().allocate(CAPACITY, ValueLayout.JAVA_LONG.byteSize());
    private volatile long written;
    private volatile long read;
    private volatile boolean isClosed;

    /** Copies what fits; by the writer. */
    int write(MemorySegment source, long from, int bytes) {
        final long at = written;
        final int count = (int) Math.min(bytes, CAPACITY - (at - read));
        final int first = (int) Math.min(count, CAPACITY - offset(at));
        MemorySegment.copy(source, from, memory, offset(at), first);
        MemorySegment.copy(source, from + first, memory, 0, count - first);
        written = at + count;
        return count;
    }

    boolean hasRoom() {
        return written - read < CAPACITY;
    }

    boolean isEmpty() {
        return written == read;
    }

    /** How many bytes can be read in one piece; by the reader. */
    int readable() {
        final long at = read;
        return (int) Math.min(written - at, CAPACITY - offset(at));
    }

    MemorySegment memory() {
        return memory;
    }

    /** Where they are. */
    long readOffset() {
        return offset(read);
    }

    /** They are not needed any more. */
    void release(int bytes) {
        final long at = read;
        read = at + bytes;
    }

    /** Nothing more will be written, or nobody reads. By either. */
    void close() {
        isClosed = true;
    }

    boolean isClosed() {
        return isClosed;
    }

    private static long offset(long position) {
        return position & CAPACITY - 1;
    }
}
