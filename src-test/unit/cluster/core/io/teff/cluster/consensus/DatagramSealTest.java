package io.teff.cluster.consensus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.config.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** Goal: only who knows the secret can make a datagram that superpeers take. */
class DatagramSealTest {
    private static final byte[] DATAGRAM = "a datagram of Aeron, of any length".getBytes(StandardCharsets.US_ASCII);

    private final AtomicInteger refused = new AtomicInteger();

    private static Secret secret(String text) {
        return Secret.of(text.getBytes(StandardCharsets.US_ASCII));
    }

    private DatagramSeal seal(Secret secret) {
        return new DatagramSeal(secret, refused::incrementAndGet);
    }

    private static byte[] sealed(DatagramSeal seal) {
        ByteBuffer all = seal.add(ByteBuffer.wrap(DATAGRAM));
        byte[] bytes = new byte[all.remaining()];
        all.get(bytes);
        return bytes;
    }

    private static boolean isRight(DatagramSeal seal, byte[] bytes, int length) {
        return seal.isRight(new UnsafeBuffer(bytes), length);
    }

    @Test
    void datagram_ofTheSameSecret_isRight_alsoAfterOthers() {
        for (Secret secret : new Secret[] {Secret.NONE, secret("0123456789abcdef"), secret("x".repeat(1_000))}) {
            byte[] bytes = sealed(seal(secret));
            assertEquals(DATAGRAM.length + DatagramSeal.BYTES, bytes.length);
            DatagramSeal other = seal(secret);
            assertTrue(isRight(other, bytes, bytes.length));
            assertTrue(isRight(other, bytes, bytes.length));
        }
        assertEquals(0, refused.get());
    }

    @Test
    void datagram_withAFlippedBit_orCut_isRefused_andToldOnce() {
        DatagramSeal seal = seal(secret("0123456789abcdef"));
        byte[] bytes = sealed(seal);
        for (int length = 0; length < bytes.length; length++) {
            assertFalse(isRight(seal, bytes, length), "length " + length);
        }
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++) {
            byte[] changed = bytes.clone();
            changed[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            assertFalse(isRight(seal, changed, changed.length), "bit " + bit);
        }
        assertEquals(1, refused.get());
        assertTrue(isRight(seal, bytes, bytes.length));
    }

    @Test
    void datagram_ofAnotherSecret_orOfNone_isRefused() {
        byte[] bytes = sealed(seal(secret("0123456789abcdef")));
        assertFalse(isRight(seal(secret("0123456789abcdeg")), bytes, bytes.length));
        assertFalse(isRight(seal(Secret.NONE), bytes, bytes.length));
        byte[] open = sealed(seal(Secret.NONE));
        assertFalse(isRight(seal(secret("0123456789abcdef")), open, open.length));
    }

    /** A change of the seal keeps superpeers of two versions apart. */
    @Test
    void seal_hasTheBytesOfBefore() {
        byte[] bytes = sealed(seal(secret("0123456789abcdef")));
        assertEquals("e27e5bd8897865c4d6b3157c479c1021966d6e2fe0da7269",
            HexFormat.of().formatHex(bytes, DATAGRAM.length, bytes.length));
    }
}
