package io.teff.cluster.net.loop;

import java.lang.foreign.MemorySegment;

/**
 * Bytes from one thread to another, in a ring. One agent writes, one reads; positions only rise, each written by one
 * of them with release, so that the bytes in front of it are seen by the other.
 *
 * <p>The ring is small while little is said: when more is to be written than it has room for, the writer waits until
 * all is read and goes on in a large one, and when nothing was said for a while in a small one again. It is changed
 * only while it is empty; the reader sees a byte only after the ring that it is in.
 */
final class LoopPipe {
    static final int CAPACITY = 256 << 10;
    static final int CAPACITY_SMALL = 4 << 10;

    private final MemorySegment small = LoopRings.allocate(CAPACITY_SMALL);
    private volatile MemorySegment memory = small;
    private volatile long written;
    private volatile long read;
    private volatile boolean isClosed;

    /** Copies what fits; by the writer, who has large rings. */
    int write(MemorySegment source, long from, int bytes, LoopRings rings) {
        if (bytes > room() && isSmall()) {
            if (!isEmpty()) {
                return 0;
            }
            final MemorySegment large = rings.take();
            memory = large == null ? small : large;             // without memory it goes on with what it has
        }
        final MemorySegment to = memory;
        final long at = written;
        final int count = (int) Math.min(bytes, room());
        final int first = (int) Math.min(count, to.byteSize() - offset(to, at));
        MemorySegment.copy(source, from, to, offset(to, at), first);
        MemorySegment.copy(source, from + first, to, 0, count - first);
        written = at + count;
        return count;
    }

    private long room() {
        return memory.byteSize() - (written - read);
    }

    private boolean isSmall() {
        return memory.byteSize() < CAPACITY;
    }

    /** Whether the writer can go on, after less was taken than it had. */
    boolean hasRoom() {
        return isSmall() ? isEmpty() : room() > 0;
    }

    /** Nothing was written for a while; by the writer, who takes a large ring back. */
    void rest(LoopRings rings) {
        final MemorySegment large = memory;
        if (!isSmall() && isEmpty()) {
            memory = small;
            rings.giveBack(large);
        }
    }

    boolean isEmpty() {
        return written == read;
    }

    /** How many bytes can be read in one piece; by the reader. */
    int readable() {
        final long at = read;
        final long bytes = written - at;                        // before the ring, which may be another one if it is 0
        final MemorySegment from = memory;
        return (int) Math.min(bytes, from.byteSize() - offset(from, at));
    }

    MemorySegment memory() {
        return memory;
    }

    /** Where they are. */
    long readOffset() {
        return offset(memory, read);
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

    private static long offset(MemorySegment memory, long position) {
        return position & memory.byteSize() - 1;
    }
}
