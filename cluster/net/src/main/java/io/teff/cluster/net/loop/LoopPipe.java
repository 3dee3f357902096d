package io.teff.cluster.net.loop;

import java.lang.foreign.MemorySegment;

/**
 * Bytes from one thread to another, in a ring. One agent writes, one reads. Positions only rise; each is written by one
 * of the two with release, so that the other sees the bytes in front of it.
 *
 * <p>The ring is small while there is little traffic: if a write exceeds its room, the writer waits until everything is
 * read and continues in a large ring, and after a while without traffic in a small one again. The ring is changed only
 * while it is empty; the reader sees a byte only after the ring of that byte.
 */
final class LoopPipe {
    static final int CAPACITY = 256 << 10;
    static final int CAPACITY_SMALL = 4 << 10;

    private final MemorySegment small = LoopRings.allocate(CAPACITY_SMALL);
    private volatile MemorySegment memory = small;
    private volatile long written;
    private volatile long read;
    private volatile boolean isClosed;

    /** Copies as many bytes as fit; by the writer, which owns the rings. */
    int write(MemorySegment source, long from, int bytes, LoopRings rings) {
        if (bytes > room() && isSmall()) {
            if (!isEmpty()) {
                return 0;
            }
            final MemorySegment large = rings.take();
            memory = large == null ? small : large;             // without memory the small ring stays
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

    /** Returns whether the writer can continue after a partial write. */
    boolean hasRoom() {
        return isSmall() ? isEmpty() : room() > 0;
    }

    /** Takes a large ring back after a while without traffic; by the writer. */
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

    /** Returns the number of bytes that can be read from one piece; by the reader. */
    int readable() {
        final long at = read;
        final long bytes = written - at;                        // before the ring, which may change if this is 0
        final MemorySegment from = memory;
        return (int) Math.min(bytes, from.byteSize() - offset(from, at));
    }

    MemorySegment memory() {
        return memory;
    }

    /** Returns where these bytes are. */
    long readOffset() {
        return offset(memory, read);
    }

    /** Releases bytes that were read. */
    void release(int bytes) {
        final long at = read;
        read = at + bytes;
    }

    /** Ends the pipe: no more bytes are written, or none are read. By either thread. */
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
