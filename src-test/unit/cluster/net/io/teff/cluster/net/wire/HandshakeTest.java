package io.teff.cluster.net.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.identity.ClusterId;
import io.teff.test.kit.Form;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: both sides complete the handshake only if both know the secret and no bit of it was changed.
 *
 * <p>Method: the two sides talk through byte arrays, in which each bit of each message is flipped once.
 */
final class HandshakeTest {
    private static final int RANDOM_GREETINGS = Form.size(20_000, 100_000, 100_000);
    private static final byte[] SECRET = {1, 2, 3};
    private static final ClusterId CLUSTER = new ClusterId(7, 8, "orders");
    private static final ClusterId OTHER = new ClusterId(7, 9, "orders");
    private static final Identity DIALER = new Identity(1, 100, CLUSTER, 0b1011);
    private static final Identity LISTENER = new Identity(2, 200, CLUSTER, 0b0110);

    /** Two sides, and one bit that is flipped in flight; none for -1. */
    private static final class Talk implements ListenerHandshake.Host {
        final DialerHandshake dialer;
        final ListenerHandshake listener;
        private final int turnedMessage;
        private final int turnedBit;
        private int messages;
        private int lastBytes;
        private @Nullable Refusal refusal;

        Talk(Identity dialerIs, byte[] dialerSecret, int called, int turnedMessage, int turnedBit) {
            this.turnedMessage = turnedMessage;
            this.turnedBit = turnedBit;
            dialer = new DialerHandshake(dialerIs, called, dialerSecret,
                _ -> new Greeting.Proof(false, new byte[32], 55, 64, 1 << 20, true));
            listener = new ListenerHandshake(LISTENER, SECRET, new byte[Greeting.NONCE_BYTES], this);
        }

        @Override
        public @Nullable Refusal check(Greeting.Hello hello) {
            return refusal;
        }

        @Override
        public Greeting.Proof welcome(Greeting.Hello hello, Greeting.Proof offered) {
            return new Greeting.Proof(true, new byte[32], offered.session(), 128, 1 << 21, offered.isResumed());
        }

        private Greeting deliver(byte[] bytes) throws IOException {
            lastBytes = bytes.length;
            final byte[] arrived = bytes.clone();
            if (messages++ == turnedMessage) {
                arrived[turnedBit / Byte.SIZE] ^= (byte) (1 << turnedBit % Byte.SIZE);
            }
            final GreetingReader reader = new GreetingReader();
            final ByteBuffer from = ByteBuffer.wrap(arrived).order(ByteOrder.LITTLE_ENDIAN);
            for (int end = 1; end <= arrived.length; end++) {   // byte by byte
                final Greeting message = reader.read(from.limit(end));
                if (message != null) {
                    return message;
                }
            }
            throw new ProtocolException("a message without an end");
        }

        void run() throws IOException {
            final byte[] nonce = new byte[Greeting.NONCE_BYTES];
            nonce[0] = 9;
            final byte[] challenge = listener.take(deliver(dialer.hello(nonce)));
            final byte[] proof = Objects.requireNonNull(dialer.take(deliver(challenge)));
            final byte[] welcome = listener.take(deliver(proof));
            assertTrue(listener.isDone());
            assertNull(dialer.take(deliver(welcome)));
            assertTrue(dialer.isDone());
        }
    }

    private static Talk talk(int turnedMessage, int turnedBit) {
        return new Talk(DIALER, SECRET, 2, turnedMessage, turnedBit);
    }

    @Test
    void bothKnowTheSecret_isDone() throws IOException {
        final Talk talk = talk(-1, 0);
        talk.run();
        assertEquals(200, talk.dialer.peer().incarnation());
        assertEquals(0b0010, talk.dialer.features());
        assertEquals(0b0010, talk.listener.features());
        assertEquals(1, talk.listener.peer().nid());
        assertEquals(64, talk.listener.offered().received());
        assertEquals(128, talk.dialer.welcome().received());
        assertEquals(55, talk.dialer.welcome().session());
        assertTrue(talk.dialer.welcome().isResumed());
    }

    @Test
    void anyBitThatIsTurned_endsIt() throws IOException {
        int bits = 0;
        for (int message = 0; message < 4; message++) {
            final Talk whole = talk(message == 3 ? 4 : -1, 0);
            whole.run();
            final int[] lengths = {8 + Greeting.Hello.BYTES, 8 + Greeting.Challenge.BYTES, 8 + Greeting.Proof.BYTES,
                whole.lastBytes};
            for (int bit = 0; bit < lengths[message] * Byte.SIZE; bit++) {
                final Talk talk = talk(message, bit);
                final String what = "message " + message + " bit " + bit;
                assertThrows(IOException.class, talk::run, what);
                assertFalse(talk.dialer.isDone(), what);
                assertFalse(message < 3 && talk.listener.isDone(), what);
                bits++;
            }
        }
        assertTrue(bits > 2000);
    }

    @Test
    void version_thatTheListenerLacks_isRefused_andBothSidesNameBothVersions() {
        final Talk talk = talk(-1, 0);
        final Greeting.Hello later = new Greeting.Hello(Versions.HIGHEST + 1, Versions.HIGHEST + 3, 1, 2, 100, 0,
            CLUSTER, new byte[Greeting.NONCE_BYTES]);
        final RefusedException own = assertThrows(RefusedException.class, () -> talk.listener.take(later));
        assertEquals("this node refuses the link: it has versions 3 to 5 of the protocol, and this node version 2: "
            + "they have no version of the protocol in common", own.getMessage());
        // the dialer of this build stands for one of the later build: it names its own version, too
        final Greeting.Refused sent = own.message(CLUSTER);
        final RefusedException received = assertThrows(RefusedException.class, () -> talk.dialer.take(
            new Greeting.Refused(sent.code(), new Versions(6, 6).inRefusal())));
        assertEquals(Refusal.VERSION, received.reason());
        assertEquals("the other node refuses the link: it has version 6 of the protocol, and this node version 2: they "
            + "have no version of the protocol in common", received.getMessage());
        assertEquals(Versions.OWN, Versions.of(sent));
    }

    /** A listener chooses among the versions of the HELLO. */
    @Test
    void version_thatTheDialerHasNotOffered_isRefusedByTheDialer() throws IOException {
        for (int version : new int[] {Versions.LOWEST - 1, Versions.HIGHEST + 1}) {
            final Talk talk = talk(-1, 0);
            talk.dialer.hello(new byte[Greeting.NONCE_BYTES]);
            final ProtocolException broken = assertThrows(ProtocolException.class, () -> talk.dialer.take(
                new Greeting.Challenge(new byte[Greeting.NONCE_BYTES], 1, 2, version, 0, CLUSTER)));
            assertTrue(String.valueOf(broken.getMessage()).contains("chooses version " + version), broken::getMessage);
        }
    }

    @Test
    void refusalOfAVersion_byABuildThatNamesNone_isUnderstood() {
        final RefusedException received = assertThrows(RefusedException.class, () -> talk(-1, 0).dialer.take(
            new Greeting.Refused(Refusal.VERSION.code(), ClusterId.NONE)));
        assertEquals("the other node refuses the link: they have no version of the protocol in common",
            received.getMessage());
        assertTrue(received.isFinal());
    }

    @Test
    void wrongSecretClusterAndNode_areRefused() {
        assertEquals(Refusal.PROOF, refusal(new Talk(DIALER, new byte[] {1, 2, 4}, 2, -1, 0)));
        assertEquals(Refusal.PROOF, refusal(new Talk(DIALER, new byte[0], 2, -1, 0)));
        assertEquals(Refusal.CLUSTER, refusal(new Talk(new Identity(1, 1, OTHER, 0), SECRET, 2, -1, 0)));
        assertEquals(Refusal.NID, refusal(new Talk(new Identity(2, 1, CLUSTER, 0), SECRET, 2, -1, 0)));
        assertEquals(Refusal.NID, refusal(new Talk(DIALER, SECRET, 3, -1, 0)));
        final Talk busy = talk(-1, 0);
        busy.refusal = Refusal.OTHER_LINK;
        assertEquals(Refusal.OTHER_LINK, refusal(busy));
    }

    /** Neither side relies on the comparison by the other side. */
    @Test
    void eachSide_comparesTheClusters() throws IOException {
        final Talk caller = new Talk(new Identity(1, 1, OTHER, 0), SECRET, 2, -1, 0);
        final Greeting hello = caller.deliver(caller.dialer.hello(new byte[Greeting.NONCE_BYTES]));
        assertEquals(Refusal.CLUSTER, assertThrows(RefusedException.class,
            () -> caller.listener.take(hello)).reason());
        assertEquals(Refusal.CLUSTER, answered(DIALER, OTHER));
        assertEquals(Refusal.NO_CLUSTER, answered(DIALER, ClusterId.NONE));
        assertEquals(Refusal.CLUSTER, answered(new Identity(1, 1, ClusterId.expected("billing"), 0), OTHER));
        final Talk unknown = new Talk(new Identity(1, 1, ClusterId.NONE, 0b0110), SECRET, 2, -1, 0);
        unknown.run();
        assertEquals(CLUSTER, unknown.dialer.peer().cluster());
    }

    /** Returns why a dialer refuses a CHALLENGE. */
    private static Refusal answered(Identity dialerIs, ClusterId listeners) throws IOException {
        final Talk talk = new Talk(dialerIs, SECRET, 2, -1, 0);
        talk.dialer.hello(new byte[Greeting.NONCE_BYTES]);
        return assertThrows(RefusedException.class, () -> talk.dialer.take(new Greeting.Challenge(
            new byte[Greeting.NONCE_BYTES], 1, 2, Versions.HIGHEST, 0, listeners))).reason();
    }

    private static Refusal refusal(Talk talk) {
        return assertThrows(RefusedException.class, talk::run).reason();
    }

    @Test
    void messagesOutOfTurn_areRefused() throws IOException {
        final Talk talk = talk(-1, 0);
        final Greeting hello = talk.deliver(talk.dialer.hello(new byte[Greeting.NONCE_BYTES]));
        talk.listener.take(hello);
        assertThrows(ProtocolException.class, () -> talk.listener.take(hello));
        assertThrows(ProtocolException.class, () -> talk.dialer.take(hello));
        assertThrows(ProtocolException.class, () -> talk.dialer.take(new Greeting.Refused(1, ClusterId.NONE)),
            "after that");
        final RefusedException refused = assertThrows(RefusedException.class,
            () -> talk(-1, 0).dialer.take(new Greeting.Refused(Refusal.TOO_MANY.code(), ClusterId.NONE)));
        assertEquals(Refusal.TOO_MANY, refused.reason());
        assertFalse(refused.isOwn());
        assertEquals(Refusal.OTHER, Refusal.of(77));
    }

    /** Another port is named in place of CHALLENGE, and never after it, nor to a listener. */
    @Test
    void elsewhere_namesAPort_inPlaceOfChallenge() throws IOException {
        final Talk talk = talk(-1, 0);
        final Greeting hello = talk.deliver(talk.dialer.hello(new byte[Greeting.NONCE_BYTES]));
        final Greeting elsewhere = talk.deliver(new Greeting.Elsewhere(65_535).toBytes());
        assertEquals(65_535, assertThrows(ElsewhereException.class,
            () -> talk(-1, 0).dialer.take(elsewhere)).port());
        assertThrows(ProtocolException.class, () -> talk(-1, 0).dialer.take(new Greeting.Elsewhere(0)));
        assertThrows(ProtocolException.class, () -> talk(-1, 0).listener.take(elsewhere));
        talk.dialer.take(talk.deliver(talk.listener.take(hello)));
        assertThrows(ProtocolException.class, () -> talk.dialer.take(elsewhere), "after CHALLENGE");
    }

    /** The hello of a client with TLS, and the alert of a server with TLS, which is shorter than a greeting's head. */
    @Test
    void tls_isRefusedByItsFirstBytes() {
        for (byte[] record : new byte[][] {{22, 3, 1, 1, 0, 1, 0, 0, -4, 3, 3}, {21, 3, 3, 0, 2, 2, 70}}) {
            for (int step = 1; step <= record.length; step++) {
                final GreetingReader reader = new GreetingReader();
                final ByteBuffer from = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
                final int first = step;
                assertEquals(Refusal.TLS, assertThrows(RefusedException.class, () -> {
                    reader.read(from.limit(first));
                    reader.read(from.limit(record.length));
                }).reason());
            }
        }
    }

    @Test
    void randomBytes_areNoGreeting() {
        final SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < RANDOM_GREETINGS; i++) {
            final byte[] bytes = new byte[random.nextInt(Greeting.HEAD_BYTES, 200)];
            random.nextBytes(bytes);
            bytes[Integer.BYTES] = (byte) random.nextInt(8);
            final ByteBuffer from = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
            try {
                new GreetingReader().read(from);
            } catch (ProtocolException | RefusedException e) {
                assertTrue(String.valueOf(e.getMessage()).length() > 10);
            }
        }
    }

    @Test
    void messages_areReadAsTheyWereWritten() throws ProtocolException {
        final Greeting.Hello hello = new Greeting.Hello(1, 3, 65_534, 2, -5, -1, CLUSTER, new byte[] {
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 1});
        final ByteBuffer bytes = ByteBuffer.wrap(hello.toBytes()).order(ByteOrder.LITTLE_ENDIAN);
        final Greeting.Hello read = (Greeting.Hello) Greeting.read(bytes);
        assertArrayEquals(hello.nonce(), read.nonce());
        assertArrayEquals(hello.toBytes(), read.toBytes());
        assertEquals("TEFFNET1", new String(hello.toBytes(), 8, 8, StandardCharsets.US_ASCII));
    }
}
