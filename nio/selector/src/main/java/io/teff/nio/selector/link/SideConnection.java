package io.teff.nio.selector.link;

import io.teff.nio.selector.side.FrameSeal;
import io.teff.nio.selector.side.SideHandshake;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * The connection between two programs beside all connections of their channels: a socket of the file system for
 * programs on one machine, a TCP connection behind a handshake for programs on different machines.
 *
 * <pre>
 *  0        4        8
 * +--------+--------+----------------------------+- - - - - - - - - - - - - - - - - - - +
 * | length |  kind  | fields of the kind ...     | code (32), between machines alone    |
 * +--------+--------+----------------------------+- - - - - - - - - - - - - - - - - - - +
 *  FIND      request (8), port (4), address of the listener and of the dialer, as the dialer sees them; remote alone
 *  FOUND     request (8), side port of the program that listens there (8); 0 for none, -1 for translated addresses
 *  HELLO     number of the path (8), release of UCX (4), address of the worker             both sides, once
 *  OFFER     request (8), port (4), port of the client (4), link of the client (8), address of the listener, and
 *            between machines the address of the client
 *  ANSWER    request (8), link of the server (8), or 0 for no
 *  WITHDRAW  link of the server (8)                              the client does not connect, or connects by TCP
 *  REVOKE    link of the client (8)                              the listener is closed, or has not accepted by RESOLVE
 *  RESOLVE   link of the server (8), link of the client (8)      the client waits for ACCEPTED no longer
 * </pre>
 *
 * <p>The length counts kind and fields. Addresses are a byte with the length, then 4 or 16 bytes.
 *
 * <p>Frames are written by a thread of the connection: a thread of the program may be interrupted, and an interrupt
 * closes the channel in which the thread writes.
 */
final class SideConnection implements AutoCloseable {
    static final int HELLO = 1;
    static final int OFFER = 2;
    static final int ANSWER = 3;
    static final int WITHDRAW = 4;
    static final int REVOKE = 5;
    static final int FIND = 6;
    static final int FOUND = 7;
    static final int RESOLVE = 8;
    /** Longest frame behind its length. */
    static final int FRAME_MAX = 16 << 10;
    private static final int SHORT_FRAME = 96;
    /** Frames that the peer has not read. */
    private static final int FRAMES_MAX = 16_384;
    private static final long MS = 1_000_000;

    private final SocketChannel channel;
    private final @Nullable FrameSeal outgoing;
    private final @Nullable FrameSeal incoming;
    private final BlockingQueue<ByteBuffer> frames = new LinkedBlockingQueue<>(FRAMES_MAX);
    private final Thread writer;

    /** A connection between programs of one machine. */
    SideConnection(SocketChannel channel) {
        this(channel, null, null);
    }

    private SideConnection(SocketChannel channel, @Nullable FrameSeal outgoing, @Nullable FrameSeal incoming) {
        this.channel = channel;
        this.outgoing = outgoing;
        this.incoming = incoming;
        writer = Thread.ofVirtual().name("teff-nio-side-out").start(this::write);
    }

    /**
     * Makes the handshake over a connection between machines.
     *
     * @param deadlineNs of the whole handshake
     * @throws IOException if the peer has another secret, is no side port, ends or is too slow; the state of the
     *     handshake tells more
     */
    static SideConnection shake(SocketChannel channel, SideHandshake handshake, long deadlineNs) throws IOException {
        writeAll(channel, ByteBuffer.wrap(handshake.begin()));
        while (handshake.wanted() > 0) {
            final byte[] message = readTimed(channel.socket(), handshake.wanted(), deadlineNs);
            writeAll(channel, ByteBuffer.wrap(handshake.take(message)));
        }
        return new SideConnection(channel, handshake.outgoing(), handshake.incoming());
    }

    private static byte[] readTimed(Socket socket, int bytes, long deadlineNs) throws IOException {
        final byte[] message = new byte[bytes];
        int count = 0;
        while (count < bytes) {
            final long leftMs = (deadlineNs - System.nanoTime()) / MS;
            if (leftMs <= 0) {
                throw new SocketTimeoutException("the handshake takes too long");
            }
            socket.setSoTimeout((int) Math.min(leftMs, Integer.MAX_VALUE));
            final int part = socket.getInputStream().read(message, count, bytes - count);
            if (part < 0) {
                throw new EOFException("the peer has ended the handshake");
            }
            count += part;
        }
        return message;
    }

    /** {@return whether the programs are on different machines} */
    boolean isRemote() {
        return incoming != null;
    }

    InetSocketAddress local() throws IOException {
        return (InetSocketAddress) channel.getLocalAddress();
    }

    InetSocketAddress remote() throws IOException {
        return (InetSocketAddress) channel.getRemoteAddress();
    }

    // ---- sending ----

    /** {@return a frame without fields, for {@link #send}} */
    static ByteBuffer frame(int kind) {
        final int size = kind == HELLO ? FRAME_MAX : SHORT_FRAME;
        return ByteBuffer.allocate(Integer.BYTES + size).position(Integer.BYTES).putInt(kind);
    }

    static ByteBuffer putAddress(ByteBuffer frame, byte[] address) {
        return frame.put((byte) address.length).put(address);
    }

    /** Sends a frame later. Any thread, also an interrupted thread. */
    void send(ByteBuffer frame) throws IOException {
        frame.flip().putInt(0, frame.limit() - Integer.BYTES);
        if (!channel.isOpen() || !frames.offer(frame)) {
            close();
            throw new IOException("the side connection has ended");
        }
    }

    private void write() {
        final FrameSeal seal = outgoing;
        try {
            while (channel.isOpen()) {
                final ByteBuffer frame = frames.take();
                final byte[] code = seal == null ? new byte[0] : seal.next(frame);
                writeAll(channel, frame);
                writeAll(channel, ByteBuffer.wrap(code));
            }
        } catch (IOException | InterruptedException e) {
            close();
        }
    }

    private static void writeAll(SocketChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    // ---- receiving ----

    /** Reads the next frame: the position is at the kind. For one thread. */
    ByteBuffer receive() throws IOException {
        final ByteBuffer length = read(Integer.BYTES);
        final int size = length.getInt(0);
        if (size < Integer.BYTES || size > FRAME_MAX) {
            throw new IOException("a frame of " + size + " bytes");
        }
        final FrameSeal seal = incoming;
        if (seal == null) {
            return read(size);
        }
        final ByteBuffer bytes = read(size + FrameSeal.SIZE);
        final ByteBuffer sealed = ByteBuffer.allocate(Integer.BYTES + size).putInt(size)
            .put(bytes.slice(0, size)).flip();
        final byte[] code = new byte[FrameSeal.SIZE];
        bytes.get(size, code);
        if (!seal.isNext(sealed, code)) {
            throw new IOException("a frame with a wrong code");
        }
        return sealed.position(Integer.BYTES);
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

    static byte[] address(ByteBuffer frame) {
        final byte[] bytes = new byte[frame.get() & 0xFF];
        frame.get(bytes);
        return bytes;
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
        writer.interrupt();
    }
}
