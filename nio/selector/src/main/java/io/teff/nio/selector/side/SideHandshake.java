package io.teff.nio.selector.side;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;

/**
 * The proof of the secret by both sides, before any other byte is believed. Steps over bytes; no sockets, no clock.
 *
 * <pre>
 *  dialer                                                     listener
 *         GREETING   magic (8), version (4), 0 (4), nonce (32)  ────>
 *  ←────  CHALLENGE  magic (8), version (4), 0 (4), nonce (32)
 *         PROOF      code (32) of the dialer                    ────>
 *  ←────  WELCOME    code (32) of the listener
 * </pre>
 *
 * <p>A code is HMAC-SHA-256 with the secret over the name of the side and all messages before. Each side draws its
 * nonce fresh, so a recorded message of another handshake has a wrong code. The names differ, so a message that is
 * sent back has a wrong code. The listener proves nothing to a dialer that has proven nothing: a stranger that connects
 * gets no code over which to try secrets.
 *
 * <p>The keys of the frames behind the handshake come from the secret and all messages, one key for each direction.
 *
 * <p>The lengths are constants, so a stranger can choose no length. For one handshake, and one thread at a time.
 */
public final class SideHandshake {
    /** Bytes of a nonce. */
    public static final int NONCE = 32;
    /** Bytes of GREETING and CHALLENGE. */
    static final int OPENING = 48;
    /** Bytes of PROOF and WELCOME. */
    static final int CODE = FrameSeal.SIZE;
    private static final int VERSION = 1;
    private static final int NONCE_AT = 16;
    private static final byte[] MAGIC = bytes("teffside");
    private static final byte[] DIALER_PROOF = bytes("dialer's proof 1");
    private static final byte[] LISTENER_PROOF = bytes("listener's proof 1");
    private static final byte[] DIALER_FRAMES = bytes("dialer's frames 1");
    private static final byte[] LISTENER_FRAMES = bytes("listener's frames 1");

    /**
     * Where the handshake stands.
     *
     * <pre>
     *  listener:  AWAITS_GREETING ──> AWAITS_PROOF ──> DONE
     *  dialer:    AWAITS_CHALLENGE ──> AWAITS_WELCOME ──> DONE
     *  each of them ──> FAILED
     * </pre>
     */
    public enum State {
        /** A listener before the first byte. */
        AWAITS_GREETING(OPENING),
        /** A listener that has sent its nonce. */
        AWAITS_PROOF(CODE),
        /** A dialer that has sent its nonce. */
        AWAITS_CHALLENGE(OPENING),
        /** A dialer that has proven the secret. */
        AWAITS_WELCOME(CODE),
        /** The peer has the secret. */
        DONE(0),
        /** The peer does not speak this protocol, or does not have the secret. */
        FAILED(0);

        private final int wanted;

        State(int wanted) {
            this.wanted = wanted;
        }
    }

    private final byte[] secret;
    private final byte[] nonce;
    private final boolean isDialer;
    /** All messages so far: both openings, and the proof. */
    private final ByteBuffer said = ByteBuffer.allocate(2 * OPENING + CODE);
    private State state;

    private SideHandshake(byte[] secret, byte[] nonce, boolean isDialer) {
        if (nonce.length != NONCE) {
            throw new IllegalArgumentException("nonce of " + nonce.length + " bytes");
        }
        this.secret = secret;
        this.nonce = nonce;
        this.isDialer = isDialer;
        state = isDialer ? State.AWAITS_CHALLENGE : State.AWAITS_GREETING;
    }

    /**
     * Begins as the side that connects.
     *
     * @param secret of both sides
     * @param nonce drawn for this handshake alone
     * @return with a greeting to send
     */
    public static SideHandshake dialer(byte[] secret, byte[] nonce) {
        return new SideHandshake(secret, nonce, true);
    }

    /**
     * Begins as the side that accepts.
     *
     * @param secret of both sides
     * @param nonce drawn for this handshake alone
     * @return waiting for the greeting
     */
    public static SideHandshake listener(byte[] secret, byte[] nonce) {
        return new SideHandshake(secret, nonce, false);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** {@return where the handshake stands} */
    public State state() {
        return state;
    }

    /** {@return the number of bytes of the next message of the peer; 0 if there is none} */
    public int wanted() {
        return state.wanted;
    }

    /** {@return whether this dialer has proven the secret to a side port, so that an end now means another secret} */
    public boolean hasProven() {
        return isDialer && said.remaining() == 0;
    }

    /** {@return the first bytes to send: the greeting of a dialer, nothing of a listener} */
    public byte[] begin() {
        return isDialer && said.position() == 0 ? opening() : new byte[0];
    }

    private byte[] opening() {
        final byte[] message = ByteBuffer.allocate(OPENING).put(MAGIC).putInt(VERSION).putInt(0).put(nonce).array();
        said.put(message);
        return message;
    }

    /**
     * Takes a message of the peer.
     *
     * @param message of {@link #wanted} bytes
     * @return the answer to send; empty at the end of a dialer
     * @throws IOException if the peer does not speak this protocol, or does not have the secret
     */
    public byte[] take(byte[] message) throws IOException {
        final State before = state;
        state = State.FAILED;                                   // until the message has passed all checks
        if (message.length != before.wanted || before.wanted == 0) {
            throw new IOException("a message of " + message.length + " bytes where " + before.wanted + " are due");
        }
        final byte[] answer;
        switch (before) {
            case AWAITS_GREETING -> {
                takeOpening(message);
                answer = opening();
                state = State.AWAITS_PROOF;
            }
            case AWAITS_CHALLENGE -> {
                takeOpening(message);
                answer = code(DIALER_PROOF);
                said.put(answer);
                state = State.AWAITS_WELCOME;
            }
            case AWAITS_PROOF -> {
                takeCode(DIALER_PROOF, message);
                said.put(message);
                answer = code(LISTENER_PROOF);
                state = State.DONE;
            }
            default -> {
                takeCode(LISTENER_PROOF, message);
                answer = new byte[0];
                state = State.DONE;
            }
        }
        return answer;
    }

    private void takeOpening(byte[] message) throws IOException {
        final ByteBuffer fields = ByteBuffer.wrap(message);
        final byte[] magic = new byte[MAGIC.length];
        fields.get(magic);
        if (!Arrays.equals(magic, MAGIC)) {
            throw new IOException("the peer is no side port");
        }
        final int version = fields.getInt();
        if (version != VERSION || fields.getInt() != 0) {
            throw new IOException("the peer speaks version " + version + " of the side port");
        }
        if (Arrays.equals(nonce, Arrays.copyOfRange(message, NONCE_AT, OPENING))) {
            throw new IOException("the peer sends this side's own nonce back");
        }
        said.put(message);
    }

    private void takeCode(byte[] name, byte[] found) throws IOException {
        if (!MessageDigest.isEqual(code(name), found)) {
            throw new IOException("the peer has another secret");
        }
    }

    private byte[] code(byte[] name) {
        final Mac mac = FrameSeal.macOf(secret);
        mac.update(name);
        mac.update(said.duplicate().flip());
        return mac.doFinal();
    }

    /** {@return the codes of the frames that this side sends; only when done} */
    public FrameSeal outgoing() {
        return frames(isDialer ? DIALER_FRAMES : LISTENER_FRAMES);
    }

    /** {@return the codes of the frames that the peer sends; only when done} */
    public FrameSeal incoming() {
        return frames(isDialer ? LISTENER_FRAMES : DIALER_FRAMES);
    }

    private FrameSeal frames(byte[] name) {
        if (state != State.DONE) {
            throw new IllegalStateException("the handshake is " + state);
        }
        return new FrameSeal(code(name));
    }
}
