package io.teff.nio.selector.link;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Buffers of a scattering read or a gathering write. */
final class BufferList {
    private BufferList() {}

    static boolean hasRoom(ByteBuffer[] buffers, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (buffers[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    /** {@return the number of bytes in buffers, at most a limit} */
    static int remaining(ByteBuffer[] buffers, int begin, int end, int bytesMax) {
        int bytes = 0;
        for (int i = begin; i < end && bytes < bytesMax; i++) {
            bytes = (int) Math.min((long) bytes + buffers[i].remaining(), bytesMax);
        }
        return bytes;
    }

    /** Fills a segment from buffers, which have enough bytes. */
    static void copy(ByteBuffer[] sources, int begin, int end, MemorySegment target) {
        final int size = (int) target.byteSize();
        int done = 0;
        for (int i = begin; i < end && done < size; i++) {
            final ByteBuffer source = sources[i];
            final int part = Math.min(source.remaining(), size - done);
            MemorySegment.copy(MemorySegment.ofBuffer(source), 0, target, done, part);
            source.position(source.position() + part);
            done += part;
        }
    }
}
