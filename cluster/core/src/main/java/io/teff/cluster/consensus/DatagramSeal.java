package io.teff.cluster.consensus;

import io.teff.cluster.config.Secret;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.agrona.DirectBuffer;

/**
 * The proof at the end of each datagram between superpeers that the sender knows the secret of the cluster.
 * <pre>
 *   0                             n            n + 16
 *   +-----------------------------+-------------+
 *   | datagram of Aeron           | seal        |
 *   +-----------------------------+-------------+
 * </pre>
 * The seal is the begin of the HMAC-SHA-256 of the datagram. The key is the HMAC-SHA-256 of {@link #PURPOSE} with the
 * secret, so no other proof of the cluster is a seal. A cluster without a secret has a key that everyone can compute:
 * then the seal keeps away only programs that do not know Teff.
 *
 * <p>A recorded datagram keeps its seal. Aeron drops a frame at a position that the receiver has already.
 *
 * <p>For the thread of the media driver: driver, sender and receiver share one thread.
 */
final class DatagramSeal {
    /** Length of the seal, in bytes. */
    static final int BYTES = 16;

    private static final String PURPOSE = "teff datagrams of superpeers, version 1";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int DATAGRAM_BYTES_MAX = 1 << 16;

    private final Mac mac;
    private final Runnable refused;
    private final byte[] bytes = new byte[DATAGRAM_BYTES_MAX];
    private final ByteBuffer sealed = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX + BYTES);
    private boolean hasRefused;

    /**
     * Derives the key.
     *
     * @param secret of the cluster, or none
     * @param refused is called once, at the first datagram without a right seal
     */
    DatagramSeal(Secret secret, Runnable refused) {
        this.refused = refused;
        byte[] known = secret.isNone() ? new byte[1] : secret.bytes();
        mac = keyed(keyed(known).doFinal(PURPOSE.getBytes(StandardCharsets.UTF_8)));
    }

    private static Mac keyed(byte[] key) {
        try {
            Mac keyed = Mac.getInstance(ALGORITHM);
            keyed.init(new SecretKeySpec(key, ALGORITHM));
            return keyed;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK lacks " + ALGORITHM, e);
        }
    }

    private byte[] seal(int length) {
        mac.update(bytes, 0, length);
        return Arrays.copyOf(mac.doFinal(), BYTES);
    }

    /** Returns a datagram with its seal, valid until the next call: the bytes from the position to the limit. */
    ByteBuffer add(ByteBuffer datagram) {
        int length = datagram.remaining();
        datagram.get(datagram.position(), bytes, 0, length);
        return sealed.clear().put(bytes, 0, length).put(seal(length)).flip();
    }

    /** Returns whether a received datagram has a right seal. */
    boolean isRight(DirectBuffer received, int length) {
        int sealAt = length - BYTES;
        if (sealAt >= 0) {
            received.getBytes(0, bytes, 0, length);
            if (MessageDigest.isEqual(seal(sealAt), Arrays.copyOfRange(bytes, sealAt, length))) {
                return true;
            }
        }
        if (!hasRefused) {
            hasRefused = true;
            refused.run();
        }
        return false;
    }
}
