package io.teff.cluster.net.wire;

import io.teff.cluster.net.identity.ClusterId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * The messages of two sides before their first frame; each message has a known length.
 * <pre>
 *  0        4        8                          8+length
 *  +--------+--------+---------------------------+
 *  | length | type   | body                      |
 *  +--------+--------+---------------------------+
 * </pre>
 * {@code docs/PROTOCOL.md} has the bodies. Byte arrays are not copied.
 */
public sealed interface Greeting {
    /** Bytes in front of a body. */
    int HEAD_BYTES = 8;
    /** Largest accepted body. */
    int BODY_BYTES_MAX = 4 << 10;
    /** Bytes of a nonce. */
    int NONCE_BYTES = 32;
    /** Bytes of a proof's code. */
    int MAC_BYTES = 32;
    /** Bytes of the identity of a cluster: the id, and the name with zeros behind it. */
    int CLUSTER_BYTES = 2 * Long.BYTES + ClusterId.NAME_MAX;
    /** Largest NID. */
    int NID_MAX = 65_534;
    /** First bytes of a HELLO's body, {@code TEFFNET1}. */
    long MAGIC = 0x3154_454E_4646_4554L;

    /**
     * HELLO: the dialer's identity.
     *
     * @param lowestVersion lowest supported version of the protocol
     * @param highestVersion highest supported version of the protocol
     * @param nid of the dialer
     * @param calledNid NID of the called node
     * @param incarnation number of the dialer's start
     * @param features offered by the dialer
     * @param cluster identity of the dialer's cluster, or the dialer's expectation
     * @param nonce 32 random bytes
     */
    record Hello(int lowestVersion, int highestVersion, int nid, int calledNid, long incarnation, int features,
                 ClusterId cluster, byte[] nonce) implements Greeting {
        static final int BYTES = 32 + CLUSTER_BYTES + NONCE_BYTES;
        static final int TYPE = 1;
    }

    /**
     * CHALLENGE: the listener's identity.
     *
     * @param nonce 32 random bytes
     * @param incarnation number of the listener's start
     * @param nid of the listener
     * @param version version of the protocol on this link
     * @param features common to both sides
     * @param cluster identity of the listener's cluster, or the listener's expectation
     */
    record Challenge(byte[] nonce, long incarnation, int nid, int version, int features, ClusterId cluster)
        implements Greeting {
        static final int BYTES = NONCE_BYTES + 16 + CLUSTER_BYTES;
        static final int TYPE = 2;
    }

    /**
     * PROOF or WELCOME: a side proves its knowledge of the secret, and names a session.
     *
     * @param isWelcome whether the sender is the listener
     * @param mac the code
     * @param session id of the session
     * @param received position to which this side has received the other side's stream
     * @param limit position to which the other side may send
     * @param isResumed whether the session continues; otherwise both streams begin at 0
     */
    record Proof(boolean isWelcome, byte[] mac, long session, long received, long limit, boolean isResumed)
        implements Greeting {
        static final int BYTES = MAC_BYTES + 32;
        static final int TYPE = 3;
        static final int WELCOME_TYPE = 4;
    }

    /**
     * REFUSED: the sender refuses the link.
     *
     * @param code of {@link Refusal}
     * @param cluster identity of the sender's cluster, if the sender refuses a node of another cluster; the versions of
     *     the sender, if the sender refuses a version; else unknown
     */
    record Refused(int code, ClusterId cluster) implements Greeting {
        static final int BYTES = Short.BYTES + CLUSTER_BYTES;
        static final int TYPE = 5;
    }

    /**
     * ELSEWHERE: the connection to the dialer belongs to another agent of the listener.
     *
     * @param port of the other agent, at the same host
     */
    record Elsewhere(int port) implements Greeting {
        static final int BYTES = Short.BYTES;
        static final int TYPE = 6;
    }

    // ---- writing ----

    /** {@return the whole message} */
    default byte[] toBytes() {
        final int body = bodyBytes();
        final ByteBuffer to = ByteBuffer.allocate(HEAD_BYTES + body).order(ByteOrder.LITTLE_ENDIAN);
        to.putInt(body).putInt(type());
        switch (this) {
            case Hello it -> to.putLong(MAGIC).putShort((short) it.lowestVersion).putShort((short) it.highestVersion)
                .putShort((short) it.nid).putShort((short) it.calledNid).putLong(it.incarnation).putInt(it.features)
                .putInt(0).put(bytes(it.cluster)).put(it.nonce);
            case Challenge it -> to.put(it.nonce).putLong(it.incarnation).putShort((short) it.nid)
                .putShort((short) it.version).putInt(it.features).put(bytes(it.cluster));
            case Proof it -> to.put(it.mac).putLong(it.session).putLong(it.received).putLong(it.limit)
                .putLong(it.isResumed ? 1 : 0);
            case Refused it -> to.putShort((short) it.code).put(bytes(it.cluster));
            case Elsewhere it -> to.putShort((short) it.port);
        }
        assert !to.hasRemaining() : this;
        return to.array();
    }

    private int type() {
        return switch (this) {
            case Hello _ -> Hello.TYPE;
            case Challenge _ -> Challenge.TYPE;
            case Proof it -> it.isWelcome ? Proof.WELCOME_TYPE : Proof.TYPE;
            case Refused _ -> Refused.TYPE;
            case Elsewhere _ -> Elsewhere.TYPE;
        };
    }

    private int bodyBytes() {
        return bodyBytesOf(type());
    }

    private static int bodyBytesOf(int type) {
        return switch (type) {
            case Hello.TYPE -> Hello.BYTES;
            case Challenge.TYPE -> Challenge.BYTES;
            case Proof.TYPE, Proof.WELCOME_TYPE -> Proof.BYTES;
            case Refused.TYPE -> Refused.BYTES;
            case Elsewhere.TYPE -> Elsewhere.BYTES;
            default -> -1;
        };
    }

    // ---- reading ----

    /**
     * Returns the length of a message, from the head alone.
     *
     * @param head at least 8 bytes from the buffer's position, little-endian; no byte is consumed
     * @return bytes of the message including the head
     * @throws ProtocolException if there is no such message
     */
    static int bytes(ByteBuffer head) throws ProtocolException {
        final int length = head.getInt(head.position());
        final int type = head.getInt(head.position() + Integer.BYTES);
        if (length < 0 || length > BODY_BYTES_MAX || length != bodyBytesOf(type)) {
            throw new ProtocolException("a greeting has type " + type + " and " + length + " bytes: is that a node?");
        }
        return HEAD_BYTES + length;
    }

    /**
     * Reads a message.
     *
     * @param from little-endian, at least as many bytes as returned by {@link #bytes}; the bytes are consumed
     * @return the message
     * @throws ProtocolException if the message breaks a rule
     */
    static Greeting read(ByteBuffer from) throws ProtocolException {
        bytes(from);
        from.getInt();
        final int type = from.getInt();
        return switch (type) {
            case Hello.TYPE -> hello(from);
            case Challenge.TYPE -> new Challenge(bytes(from, NONCE_BYTES), from.getLong(), unsigned(from.getShort()),
                unsigned(from.getShort()), from.getInt(), cluster(from));
            case Proof.TYPE, Proof.WELCOME_TYPE -> proof(from, type == Proof.WELCOME_TYPE);
            case Elsewhere.TYPE -> new Elsewhere(unsigned(from.getShort()));
            default -> new Refused(unsigned(from.getShort()), cluster(from));
        };
    }

    private static Hello hello(ByteBuffer from) throws ProtocolException {
        final long magic = from.getLong();
        if (magic != MAGIC) {
            throw new ProtocolException("a greeting begins with " + Long.toHexString(magic) + ", not with TEFFNET1");
        }
        final int lowest = unsigned(from.getShort());
        final int highest = unsigned(from.getShort());
        final int nid = unsigned(from.getShort());
        final int called = unsigned(from.getShort());
        final long incarnation = from.getLong();
        final int features = from.getInt();
        final int reserved = from.getInt();
        if (lowest > highest || reserved != 0) {
            throw new ProtocolException("a greeting of versions " + lowest + " to " + highest + " has reserved bits "
                + reserved);
        }
        if (nid > NID_MAX) {
            throw new ProtocolException("a greeting is of node " + nid + ", which cannot be");
        }
        return new Hello(lowest, highest, nid, called, incarnation, features, cluster(from),
            bytes(from, NONCE_BYTES));
    }

    private static Proof proof(ByteBuffer from, boolean isWelcome) throws ProtocolException {
        final byte[] mac = bytes(from, MAC_BYTES);
        final long session = from.getLong();
        final long received = from.getLong();
        final long limit = from.getLong();
        final long mode = from.getLong();
        if (mode < 0 || mode > 1) {
            throw new ProtocolException("a proof has mode " + mode);
        }
        final boolean isResumed = mode == 1;
        if (received < 0 || limit < 0 || received % Frame.ALIGNMENT != 0 || !isResumed && received != 0) {
            throw new ProtocolException("a proof of mode " + mode + " has received " + received + ", limit " + limit);
        }
        return new Proof(isWelcome, mac, session, received, limit, isResumed);
    }

    private static byte[] bytes(ClusterId cluster) {
        return ByteBuffer.allocate(CLUSTER_BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(cluster.high())
            .putLong(cluster.low()).put(cluster.nameBytes()).array();
    }

    private static ClusterId cluster(ByteBuffer from) throws ProtocolException {
        final long high = from.getLong();
        final long low = from.getLong();
        final byte[] bytes = bytes(from, ClusterId.NAME_MAX);
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        final String name = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
        if (!ClusterId.isName(name)) {
            throw new ProtocolException("a greeting names a cluster by characters that no name has");
        }
        return new ClusterId(high, low, name);
    }

    private static int unsigned(short value) {
        return value & 0xFFFF;
    }

    private static byte[] bytes(ByteBuffer from, int count) {
        final byte[] bytes = new byte[count];
        from.get(bytes);
        return bytes;
    }
}
