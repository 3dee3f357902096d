package io.teff.nio.selector.link;

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

    /** Copies bytes from buffers, which have enough bytes, to a place in another buffer. */
    static void copy(ByteBuffer[] sources, int begin, int end, ByteBuffer target, int targetOffset, int size) {
        int done = 0;
        for (int i = begin; i < end && done < size; i++) {
            final ByteBuffer source = sources[i];
            final int part = Math.min(source.remaining(), size - done);
            target.put(targetOffset + done, source, source.position(), part);
            source.position(source.position() + part);
            done += part;
        }
    }
}
