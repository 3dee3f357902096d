package io.teff.cluster.net.loop;

import java.lang.foreign.MemorySegment;

/**
 * Bytes from one thread to another thread, in a ring. One agent writes, and one agent reads. Positions only rise; each
 * position is written by one agent with release, so the other agent sees the bytes in front of the position.
 *
 * <p>The ring is small while there is little traffic: if a write exceeds the room, the writer waits until everything is
 * read and continues in a large ring, and after a while without traffic in a small ring again. The ring is changed only
 * while it is empty; the reader sees a byte only after the ring with the byte.
 */
final class LoopPipe {
    static final int CAPACITY = 256 << 10;
    static final int CAPACITY_SMALL = 4 << 10;

    private final MemorySegment small = LoopRings.allocate(CAPACITY_SMALL);
    private volatile MemorySegment memory = small;
    private volatile long written;
    private volatile long read;
    private volatile boolean isClosed;

    /** Copies as many bytes as fit; by the writer, the owner of the rings. */
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

    /** Returns the number of bytes readable from one piece; by the reader. */
    int readable() {
        final long at = read;
        // before the ring, because the ring may change if the result is 0
        final long bytes = written - at;
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

    /** Releases bytes already read. */
    void release(int bytes) {
        final long at = read;
        read = at + bytes;
    }

    /** Ends the pipe: no more bytes are written, or no more bytes are read. By either thread. */
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
