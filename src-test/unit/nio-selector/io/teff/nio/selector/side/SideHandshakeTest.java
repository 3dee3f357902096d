package io.teff.nio.selector.side;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.side.SideHandshake.State;
import io.teff.test.kit.Form;
import io.teff.test.kit.Seed;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: a handshake is done only between sides with the same secret that talk to each other now. Method: whole
 * conversations over bytes, in which each byte is changed, messages are cut, recorded, sent back, or made up.
 */
final class SideHandshakeTest {
    private static final byte[] SECRET = "the secret of all machines".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER = "the secret of all machines!".getBytes(StandardCharsets.US_ASCII);
    private static final int MESSAGES = 4;

    /** Changes a message on its way. */
    private interface Way {
        byte[] carry(int index, byte[] message);
    }

    private final SplittableRandom random = new SplittableRandom(Seed.first());

    private byte[] nonce() {
        final byte[] nonce = new byte[SideHandshake.NONCE];
        random.nextBytes(nonce);
        return nonce;
    }

    private SideHandshake dialer(byte[] secret) {
        return SideHandshake.dialer(secret, nonce());
    }

    private SideHandshake listener(byte[] secret) {
        return SideHandshake.listener(secret, nonce());
    }

    /** Lets both sides talk until one refuses; returns the messages as they were sent. */
    private static List<byte[]> talk(SideHandshake dialer, SideHandshake listener, Way way) {
        final List<byte[]> sent = new ArrayList<>();
        byte[] message = dialer.begin();
        SideHandshake taker = listener;
        try {
            while (message.length > 0) {
                sent.add(message);
                message = taker.take(way.carry(sent.size() - 1, message));
                taker = taker == listener ? dialer : listener;
            }
        } catch (IOException e) {
            assertEquals(State.FAILED, taker.state());
            assertEquals(0, taker.wanted());
        }
        return sent;
    }

    private static List<byte[]> talk(SideHandshake dialer, SideHandshake listener) {
        return talk(dialer, listener, (index, message) -> message);
    }

    private static boolean isDone(SideHandshake side) {
        return side.state() == State.DONE;
    }

    @Test
    void handshake_withTheSameSecret_isDone_andSealsFrames() {
        final SideHandshake dialer = dialer(SECRET);
        final SideHandshake listener = listener(SECRET);
        assertThrows(IllegalStateException.class, dialer::outgoing);
        final List<byte[]> sent = talk(dialer, listener);
        assertEquals(List.of(48, 48, 32, 32), sent.stream().map(message -> message.length).toList());
        assertTrue(isDone(dialer) && isDone(listener) && dialer.hasProven() && !listener.hasProven());
        final FrameSeal out = dialer.outgoing();
        final FrameSeal in = listener.incoming();
        final FrameSeal back = listener.outgoing();
        final FrameSeal backIn = dialer.incoming();
        for (int i = 0; i < 100; i++) {
            final ByteBuffer frame = ByteBuffer.wrap(nonce(), 0, i % SideHandshake.NONCE);
            assertTrue(in.isNext(frame, out.next(frame)));
            assertTrue(backIn.isNext(frame, back.next(frame)));
            assertEquals(i % SideHandshake.NONCE, frame.remaining());
        }
    }

    @Test
    void handshake_withAnotherSecret_tellsTheListenerNothing() {
        final SideHandshake dialer = dialer(OTHER);
        final SideHandshake listener = listener(SECRET);
        final List<byte[]> sent = talk(dialer, listener);
        assertEquals(3, sent.size());                           // no code of the listener was sent
        assertFalse(isDone(dialer) || isDone(listener));
        assertTrue(dialer.hasProven());
    }

    @Test
    void handshake_withAnyByteChanged_isNeverDoneByBoth() {
        final int[] lengths = {SideHandshake.OPENING, SideHandshake.OPENING, SideHandshake.CODE, SideHandshake.CODE};
        for (int index = 0; index < MESSAGES; index++) {
            for (int bit = 0; bit < lengths[index] * Byte.SIZE; bit++) {
                final int changedIndex = index;
                final int changedBit = bit;
                final SideHandshake dialer = dialer(SECRET);
                final SideHandshake listener = listener(SECRET);
                talk(dialer, listener, (at, message) -> at == changedIndex ? flipped(message, changedBit) : message);
                final String what = "bit " + bit + " of message " + index;
                assertFalse(isDone(dialer), what);
                assertEquals(index == MESSAGES - 1, isDone(listener), what);    // WELCOME is behind the proof
            }
        }
    }

    private static byte[] flipped(byte[] message, int bit) {
        final byte[] changed = message.clone();
        changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        return changed;
    }

    @Test
    void handshake_withAnyMessageCutOrLonger_fails() {
        for (int index = 0; index < MESSAGES; index++) {
            for (int length = 0; length <= SideHandshake.OPENING + 1; length++) {
                final int cutIndex = index;
                final int cut = length;
                final SideHandshake dialer = dialer(SECRET);
                final SideHandshake listener = listener(SECRET);
                final boolean[] isWhole = new boolean[1];
                talk(dialer, listener, (at, message) -> {
                    isWhole[0] |= at == cutIndex && message.length == cut;
                    return at == cutIndex ? Arrays.copyOf(message, cut) : message;
                });
                assertEquals(isWhole[0], isDone(dialer), "message " + index + " of " + length + " bytes");
            }
        }
    }

    @Test
    void messages_ofAnotherHandshake_areRefused() {
        final List<byte[]> recorded = talk(dialer(SECRET), listener(SECRET));
        final SideHandshake listener = listener(SECRET);
        talk(dialer(SECRET), listener, (index, message) -> recorded.get(index));
        assertFalse(isDone(listener));
        final SideHandshake dialer = dialer(SECRET);
        talk(dialer, listener(SECRET), (index, message) -> index % 2 == 1 ? recorded.get(index) : message);
        assertFalse(isDone(dialer));
    }

    @Test
    void messages_thatAreSentBack_areRefused() throws IOException {
        final SideHandshake dialer = dialer(SECRET);
        final byte[] greeting = dialer.begin();
        assertThrows(IOException.class, () -> dialer.take(greeting));           // its own nonce
        assertEquals(State.FAILED, dialer.state());

        final SideHandshake second = dialer(SECRET);
        second.begin();
        final byte[] challenge = dialer(SECRET).begin();
        final byte[] proof = second.take(challenge);
        assertThrows(IOException.class, () -> second.take(proof));              // its own code
        assertFalse(isDone(second));

        final SideHandshake listener = listener(SECRET);
        final byte[] answer = listener.take(dialer(SECRET).begin());
        assertThrows(IOException.class, () -> listener.take(Arrays.copyOf(answer, SideHandshake.CODE)));
    }

    @Test
    void bytes_thatAreMadeUp_neverPass() {
        final int rounds = Form.size(2_000, 20_000, 200_000);
        for (int i = 0; i < rounds; i++) {
            final SideHandshake side = random.nextBoolean() ? dialer(SECRET) : listener(SECRET);
            side.begin();
            final List<byte[]> said = new ArrayList<>();
            try {
                while (side.wanted() > 0) {
                    final byte[] message = new byte[random.nextInt(8) == 0 ? random.nextInt(100) : side.wanted()];
                    random.nextBytes(message);
                    if (random.nextInt(4) != 0 && message.length == SideHandshake.OPENING) {
                        System.arraycopy(dialer(OTHER).begin(), 0, message, 0, 16);
                    }
                    said.add(message);
                    side.take(message);
                }
            } catch (IOException e) {
                assertEquals(State.FAILED, side.state());
            }
            assertFalse(isDone(side), () -> said.stream().map(Arrays::toString).toList().toString());
            assertThrows(IOException.class, () -> side.take(new byte[SideHandshake.CODE]));
        }
    }

    @Test
    void frames_thatAreChangedMovedOrRepeated_haveAWrongCode() {
        final SideHandshake dialer = dialer(SECRET);
        final SideHandshake listener = listener(SECRET);
        talk(dialer, listener);
        final ByteBuffer frame = ByteBuffer.wrap(nonce());
        final FrameSeal out = dialer.outgoing();
        final byte[] first = out.next(frame);
        final byte[] second = out.next(frame);
        assertNotEquals(Arrays.toString(first), Arrays.toString(second));
        assertFalse(listener.incoming().isNext(frame, second));                 // one left out
        final FrameSeal in = listener.incoming();
        assertTrue(in.isNext(frame, first));
        assertFalse(in.isNext(frame, first));                                   // repeated
        assertFalse(dialer.incoming().isNext(frame, first));                    // sent back
        for (int bit = 0; bit < SideHandshake.NONCE * Byte.SIZE; bit++) {
            assertFalse(listener.incoming().isNext(ByteBuffer.wrap(flipped(frame.array(), bit)), first));
            assertFalse(listener.incoming().isNext(frame, flipped(first, bit)));
        }
        final SideHandshake other = dialer(SECRET);
        talk(other, listener(SECRET));
        assertFalse(listener.incoming().isNext(frame, other.outgoing().next(frame)));       // of another connection
        assertArrayEquals(first, dialer.outgoing().next(frame));
    }
}
