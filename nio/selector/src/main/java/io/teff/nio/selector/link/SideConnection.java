package io.teff.nio.selector.link;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * The connection between two programs beside all connections of their channels: a socket of the file system.
 *
 * <pre>
 *  0        4        8
 * +--------+--------+----------------------------+
 * | length |  kind  | fields of the kind ...     |
 * +--------+--------+----------------------------+
 *  HELLO     number of the path (8), address of the worker        both sides, first
 *  OFFER     request (8), port (4), port of the client (4), link of the client (8), address of the listener
 *  ANSWER    request (8), link of the server (8), or 0 for no
 *  WITHDRAW  link of the server (8)                              the client does not connect, or connects by TCP
 *  REVOKE    link of the client (8)                              the listener is closed
 * </pre>
 */
final class SideConnection implements AutoCloseable {
    static final int HELLO = 1;
    static final int OFFER = 2;
    static final int ANSWER = 3;
    static final int WITHDRAW = 4;
    static final int REVOKE = 5;
    /** Longest frame behind its length. */
    static final int FRAME_MAX = 16 << 10;
    private static final int SHORT_FRAME = 64;

    private final SocketChannel channel;

    SideConnection(SocketChannel channel) {
        this.channel = channel;
    }

    /** {@return a frame without fields, for {@link #send}} */
    static ByteBuffer frame(int kind) {
        final int size = kind == HELLO ? FRAME_MAX : SHORT_FRAME;
        return ByteBuffer.allocate(Integer.BYTES + size).position(Integer.BYTES).putInt(kind);
    }

    synchronized void send(ByteBuffer frame) throws IOException {
        frame.flip().putInt(0, frame.limit() - Integer.BYTES);
        while (frame.hasRemaining()) {
            channel.write(frame);
        }
    }

    /** Reads the next frame: the position is at the kind. */
    ByteBuffer receive() throws IOException {
        final int length = read(Integer.BYTES).getInt();
        if (length < Integer.BYTES || length > FRAME_MAX) {
            throw new IOException("a frame of " + length + " bytes");
        }
        return read(length);
    }

    private ByteBuffer read(int bytes) throws IOException {
        final ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                throw new EOFException("the side connection has ended");
            }
        }
        return buffer.flip();
    }

    static byte[] rest(ByteBuffer frame) {
        final byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            assert !channel.isOpen();
        }
    }
}
