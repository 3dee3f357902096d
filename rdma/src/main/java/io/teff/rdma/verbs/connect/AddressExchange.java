package io.teff.rdma.verbs.connect;

import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.device.Gid;
import io.teff.rdma.verbs.device.PathMtu;
import io.teff.rdma.verbs.queue.QueuePairAddress;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Exchanges the addresses of two queue pairs over a TCP connection, with bytes of the program beside them, such as the
 * address and the key of a region. For programs that do without the {@link ConnectionManager}.
 *
 * <p>Each side sends a frame and reads the frame of the peer:
 *
 * <pre>
 *   0        8        12        16      20     24    28     32           48            48 + n   52 + n
 *   | magic  | length | number | seq.  | lid  | mtu | n    | gid        | n bytes      | crc32c |
 * </pre>
 *
 * All numbers are little-endian; the length counts all bytes, the checksum all earlier bytes. The exchange is not
 * encrypted: a transferred key of a region is as secret as the network. Without state, thread-safe.
 */
public final class AddressExchange {
    private static final long MAGIC = 0x3141_5051_4646_4554L;  // "TEFFQPA1", with the version at its end
    private static final int LENGTH_OFFSET = 8;
    private static final int NUMBER_OFFSET = 12;
    private static final int SEQUENCE_OFFSET = 16;
    private static final int LID_OFFSET = 20;
    private static final int MTU_OFFSET = 24;
    private static final int DATA_LENGTH_OFFSET = 28;
    private static final int GID_OFFSET = 32;
    private static final int DATA_OFFSET = GID_OFFSET + VerbsLayout.GID_SIZE;
    /** The longest data of a program. */
    public static final int DATA_BYTES_MAX = 4096;

    private AddressExchange() {}

    /**
     * Message of the peer.
     *
     * @param address of its queue pair
     * @param data of its program
     */
    public record Peer(QueuePairAddress address, ByteBuffer data) {}

    /**
     * Connects to a peer that waits in {@link #accept}, and exchanges addresses.
     *
     * @param server where the peer waits
     * @param own the queue pair of this side
     * @param data for the peer, at most {@value #DATA_BYTES_MAX} bytes
     * @param timeoutMs for connecting, and again for each read; at least 1
     * @return what the peer has sent
     * @throws IOException if the peer does not listen, does not answer in time, or answers something else
     */
    public static Peer connect(InetSocketAddress server, QueuePairAddress own, byte[] data, int timeoutMs)
            throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(server, timeoutMs);
            return exchange(socket, own, data, timeoutMs);
        }
    }

    /**
     * Waits for a peer, and exchanges addresses.
     *
     * @param server a bound socket, which stays open
     * @param own the queue pair of this side
     * @param data for the peer, at most {@value #DATA_BYTES_MAX} bytes
     * @param timeoutMs for a peer, and again for each read; at least 1
     * @return what the peer has sent
     * @throws IOException if no peer comes in time, or it sends something else
     */
    public static Peer accept(ServerSocket server, QueuePairAddress own, byte[] data, int timeoutMs)
            throws IOException {
        server.setSoTimeout(timeoutMs);
        try (Socket socket = server.accept()) {
            return exchange(socket, own, data, timeoutMs);
        }
    }

    private static Peer exchange(Socket socket, QueuePairAddress own, byte[] data, int timeoutMs) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(timeoutMs);
        socket.getOutputStream().write(encode(own, data));
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final byte[] head = new byte[NUMBER_OFFSET];
        in.readFully(head);
        final byte[] rest = new byte[lengthOf(head) - head.length];
        in.readFully(rest);
        final byte[] frame = ByteBuffer.allocate(head.length + rest.length).put(head).put(rest).array();
        return decode(frame);
    }

    /** Returns the frame of an address. */
    static byte[] encode(QueuePairAddress own, byte[] data) {
        if (data.length > DATA_BYTES_MAX) {
            throw new IllegalArgumentException("bytes=" + data.length);
        }
        final ByteBuffer frame = ByteBuffer.allocate(DATA_OFFSET + data.length + Integer.BYTES)
            .order(ByteOrder.LITTLE_ENDIAN);
        frame.putLong(MAGIC).putInt(frame.capacity()).putInt(own.number()).putInt(own.sequence()).putInt(own.lid())
            .putInt(own.mtu().code()).putInt(data.length).put(own.gid().bytes()).put(data);
        return frame.putInt(checksum(frame.array(), frame.position())).array();
    }

    /** Returns the length of a frame from the first twelve bytes. */
    static int lengthOf(byte[] head) throws IOException {
        final ByteBuffer frame = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN);
        final int length = frame.getInt(LENGTH_OFFSET);
        if (frame.getLong(0) != MAGIC || length < DATA_OFFSET + Integer.BYTES
            || length > DATA_OFFSET + DATA_BYTES_MAX + Integer.BYTES) {
            throw new IOException("the peer sends no address of a queue pair");
        }
        return length;
    }

    /** Returns what a whole frame says. */
    static Peer decode(byte[] bytes) throws IOException {
        final ByteBuffer frame = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        final int end = bytes.length - Integer.BYTES;
        final int mtu = frame.getInt(MTU_OFFSET);
        final int dataLength = frame.getInt(DATA_LENGTH_OFFSET);
        final int sequence = frame.getInt(SEQUENCE_OFFSET);
        final boolean isWhole = checksum(bytes, end) == frame.getInt(end) && dataLength == end - DATA_OFFSET
            && mtu >= 1 && mtu <= PathMtu.values().length && sequence >>> 24 == 0;
        if (!isWhole) {
            throw new IOException("the peer sends a damaged address of a queue pair");
        }
        final byte[] gid = new byte[VerbsLayout.GID_SIZE];
        frame.get(GID_OFFSET, gid);
        final QueuePairAddress address = new QueuePairAddress(frame.getInt(NUMBER_OFFSET), sequence,
            frame.getInt(LID_OFFSET), Gid.of(gid), PathMtu.of(mtu));
        return new Peer(address, frame.slice(DATA_OFFSET, dataLength).asReadOnlyBuffer());
    }

    private static int checksum(byte[] bytes, int length) {
        final CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        return (int) crc.getValue();
    }
}
