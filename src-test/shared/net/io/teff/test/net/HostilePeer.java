package io.teff.test.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A peer that sends arbitrary bytes over a plain socket: it implements docs/PROTOCOL.md without classes of the product.
 */
public final class HostilePeer implements AutoCloseable {
    public static final byte[] SECRET = "sixteen bytes at".getBytes(StandardCharsets.US_ASCII);
    /** Capability bit: a link may rest. */
    public static final int REST = 1;
    /** The version of the protocol. */
    public static final short VERSION = 2;
    public static final int HELLO = 1;
    public static final int CHALLENGE = 2;
    public static final int PROOF = 3;
    public static final int WELCOME = 4;
    public static final int REFUSED = 5;
    public static final int HEAD = 8;
    public static final int MAC_END = HEAD + 32;
    /** Bytes of a whole HELLO. */
    public static final int HELLO_BYTES = HEAD + 112;
    private static final int CHALLENGE_BODY = 96;
    private static final int REFUSED_BODY = 50;
    public static final int REQUEST = 1;
    public static final int RESPONSE = 2;
    public static final int FRAGMENT = 8;
    public static final int LAST = 16;
    public static final int SKIPPED = 32;
    public static final int CONTROL = 64;
    public static final int CHECKED = 128;
    private static final int LIMIT_MS = 60_000;
    private static final int GREETING_BYTES_MAX = 200;
    private static final int FEATURES_AT = HEAD + 24;

    public final Socket socket;
    /** The bytes that both sides have sent. */
    public byte[] said = new byte[0];
    public byte[] welcome = new byte[0];

    public HostilePeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(LIMIT_MS);
    }

    public static HostilePeer connect(int port) throws IOException {
        return new HostilePeer(new Socket(InetAddress.getLoopbackAddress(), port));
    }

    // ---- bytes ----

    public static byte[] join(byte[]... parts) {
        final ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    public static byte[] with(byte[] bytes, int at, int... values) {
        final byte[] other = bytes.clone();
        for (int i = 0; i < values.length; i++) {
            other[at + i] = (byte) values[i];
        }
        return other;
    }

    public static byte[] turned(byte[] bytes, int bit) {
        final byte[] other = bytes.clone();
        other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        return other;
    }

    public static byte[] greeting(int type, byte[] body) {
        return ByteBuffer.allocate(HEAD + body.length).order(ByteOrder.LITTLE_ENDIAN).putInt(body.length).putInt(type)
            .put(body).array();
    }

    public static byte[] hello(int nid, int called, long incarnation) {
        return greeting(HELLO, ByteBuffer.allocate(HELLO_BYTES - HEAD).order(ByteOrder.LITTLE_ENDIAN)
            .put("TEFFNET1".getBytes(StandardCharsets.US_ASCII)).putShort(VERSION).putShort(VERSION)
            .putShort((short) nid).putShort((short) called).putLong(incarnation).array());
    }

    public static byte[] challenge(int nid, int version, int features) {
        return greeting(CHALLENGE, ByteBuffer.allocate(CHALLENGE_BODY).order(ByteOrder.LITTLE_ENDIAN).position(32)
            .putLong(1).putShort((short) nid).putShort((short) version).putInt(features).array());
    }

    public static byte[] refused(int code) {
        return greeting(REFUSED, ByteBuffer.allocate(REFUSED_BODY).order(ByteOrder.LITTLE_ENDIAN)
            .putShort((short) code).array());
    }

    public static byte[] proof(int type, byte[] key, byte[] before, long session, long received, long limit, int mode) {
        final byte[] without = greeting(type, ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN).position(32)
            .putLong(session).putLong(received).putLong(limit).putLong(mode).array());
        return withMac(type == PROOF ? "teff dialer 1" : "teff listener 1", key, before, without);
    }

    public static byte[] withMac(String name, byte[] key, byte[] before, byte[] without) {
        try {
            final Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            final byte[] code = mac.doFinal(join(name.getBytes(StandardCharsets.US_ASCII), before,
                Arrays.copyOf(without, HEAD), Arrays.copyOfRange(without, MAC_END, without.length)));
            final byte[] message = without.clone();
            System.arraycopy(code, 0, message, HEAD, code.length);
            return message;
        } catch (GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    public static byte[] frame(long position, int type, int lane, int flags, long correlation, int payloadBytes) {
        final int head = (flags & (REQUEST | RESPONSE | FRAGMENT)) == 0 ? 16 : 24;
        final int length = head + payloadBytes;
        final ByteBuffer to = ByteBuffer.allocate((length + 7) / 8 * 8).order(ByteOrder.LITTLE_ENDIAN).putInt(length)
            .putInt((int) (position / 8)).putShort((short) type).put((byte) lane).put((byte) flags).putInt(0);
        if (head == 24) {
            to.putLong(correlation);
        }
        return to.array();
    }

    /** Returns the frame with its checksum. */
    public static byte[] checked(byte[] frame) {
        final ByteBuffer to = ByteBuffer.wrap(frame.clone()).order(ByteOrder.LITTLE_ENDIAN);
        to.put(11, (byte) (to.get(11) | CHECKED));
        final CRC32C crc = new CRC32C();
        crc.update(to.array(), 16, to.getInt(0) - 16);
        crc.update(to.array(), 0, 12);
        return to.putInt(12, (int) crc.getValue()).array();
    }

    public static byte[] progress(long received, long limit) {
        return ByteBuffer.wrap(frame(0, 1, 0, CONTROL, 0, 16)).order(ByteOrder.LITTLE_ENDIAN).putLong(16, received)
            .putLong(24, limit).array();
    }

    public static byte[] closing(int code) {
        return with(frame(0, 2, 0, CONTROL, 0, 2), 16, code);
    }

    // ---- talking ----

    public void say(byte[] bytes) throws IOException {
        try {
            socket.getOutputStream().write(bytes);
        } catch (IOException e) {
            if (!isCut()) {
                throw e;
            }
        }
    }

    /** Ends the output. */
    public void fallSilent() throws IOException {
        try {
            socket.shutdownOutput();
        } catch (IOException e) {
            if (!isCut()) {
                throw e;
            }
        }
    }

    /** Reads a greeting of the node. */
    public byte[] hear() throws IOException {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final byte[] head = new byte[HEAD];
        in.readFully(head);
        final int length = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt();
        assertTrue(length > 0 && length < GREETING_BYTES_MAX, "a body of " + length + " bytes");
        final byte[] body = new byte[length];
        in.readFully(body);
        return join(head, body);
    }

    /** Reads the next frame of the node that is not a control frame. */
    public byte[] hearFrame() throws IOException {
        byte[] frame = hearAny();
        while ((frame[11] & CONTROL) != 0) {
            frame = hearAny();
        }
        return frame;
    }

    /** Returns the limit in the next PROGRESS of the node. */
    public long hearLimit() throws IOException {
        byte[] frame = hearAny();
        while ((frame[11] & CONTROL) == 0 || frame[8] != 1) {
            frame = hearAny();
        }
        return ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).getLong(24);
    }

    private byte[] hearAny() throws IOException {
        final DataInputStream in = new DataInputStream(socket.getInputStream());
        final byte[] head = new byte[16];
        in.readFully(head);
        final int length = ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).getInt();
        final byte[] rest = new byte[(length + 7) / 8 * 8 - head.length];
        in.readFully(rest);
        return join(head, rest);
    }

    /** Sends the greeting up to the CHALLENGE. */
    public HostilePeer greet(int nid, long incarnation) throws IOException {
        return greet(nid, incarnation, 0);
    }

    /** Sends the greeting with capability bits. */
    public HostilePeer greet(int nid, long incarnation, int features) throws IOException {
        final byte[] hello = with(hello(nid, 1, incarnation), FEATURES_AT, features);
        say(hello);
        said = join(hello, hear());
        return this;
    }

    /** Authenticates with the secret; returns whether the session continues. */
    public boolean prove(long session, long received, long limit, int mode) throws IOException {
        final byte[] proof = proof(PROOF, SECRET, said, session, received, limit, mode);
        say(proof);
        said = join(said, proof);
        welcome = hear();
        assertEquals(WELCOME, welcome[4]);
        return welcome[HEAD + 56] == 1;
    }

    public long welcomed(int at) {
        return ByteBuffer.wrap(welcome).order(ByteOrder.LITTLE_ENDIAN).getLong(HEAD + at);
    }

    /** Creates a peer with a new session. */
    public static HostilePeer proved(int port, int nid) throws IOException {
        return proved(port, nid, 0);
    }

    /** Creates a peer with a new session and capability bits, and acknowledges the session at once. */
    public static HostilePeer proved(int port, int nid, int features) throws IOException {
        final HostilePeer peer = connect(port).greet(nid, 1, features);
        peer.prove(nid, 0, 1 << 20, 0);
        peer.say(progress(0, 1 << 20));
        return peer;
    }

    /** Waits until the node has ended the link; returns the number of bytes it sent in the meantime. */
    public int awaitCut(String what) throws IOException {
        int heard = 0;
        try {
            final InputStream in = socket.getInputStream();
            final byte[] bytes = new byte[1 << 16];
            final long end = System.nanoTime() + LIMIT_MS * 1_000_000L;
            for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
                heard += count;
                assertTrue(System.nanoTime() - end < 0, what + ": not cut off");
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError(what + ": not cut off", e);
        } catch (IOException e) {
            if (!isCut()) {
                throw e;
            }
        }
        return heard;
    }

    private boolean isCut() {
        return !socket.isClosed();                              // a reset by the other side, not our own close
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
