package io.teff.cluster.consensus;

import io.teff.cluster.config.Secret;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 *   0                             n         n + 8       n + 24
 *   +-----------------------------+---------+-----------+
 *   | datagram of Aeron           | mark    | MAC       |
 *   +-----------------------------+---------+-----------+
 * </pre>
 * The MAC is the begin of the HMAC-SHA-256 of datagram and mark. The key is the HMAC-SHA-256 of {@link #PURPOSE} with
 * the secret, so no other proof of the cluster is a seal. The mark is a constant of the key: a flood of datagrams
 * without the mark costs no MAC. A cluster without a secret has a key that everyone can compute: then the seal keeps
 * away only programs that do not know Teff.
 *
 * <p>A recorded datagram keeps its seal. Aeron drops a frame at a position that the receiver has already.
 *
 * <p>For the thread of the media driver: driver, sender and receiver share one thread.
 */
final class DatagramSeal {
    /** Length of the seal, in bytes. */
    static final int BYTES = 24;

    private static final int MARK_BYTES = Long.BYTES;
    private static final int MAC_BYTES = BYTES - MARK_BYTES;
    private static final String PURPOSE = "teff datagrams of superpeers, version 1";
    private static final String ALGORITHM = "HmacSHA256";
    private static final int DATAGRAM_BYTES_MAX = 1 << 16;

    private final Mac mac;
    private final long mark;
    private final Runnable refused;
    private final byte[] bytes = new byte[DATAGRAM_BYTES_MAX + BYTES];
    private final ByteBuffer sealed = ByteBuffer.allocateDirect(DATAGRAM_BYTES_MAX + BYTES)
        .order(ByteOrder.LITTLE_ENDIAN);
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
        byte[] purpose = PURPOSE.getBytes(StandardCharsets.UTF_8);
        mac = keyed(keyed(known).doFinal(purpose));
        mark = ByteBuffer.wrap(mac.doFinal(purpose)).order(ByteOrder.LITTLE_ENDIAN).getLong(0);
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

    private byte[] mac(int length) {
        mac.update(bytes, 0, length);
        return Arrays.copyOf(mac.doFinal(), MAC_BYTES);
    }

    /** Returns a datagram with its seal, valid until the next call: the bytes from the position to the limit. */
    ByteBuffer add(ByteBuffer datagram) {
        int length = datagram.remaining();
        datagram.get(datagram.position(), bytes, 0, length);
        sealed.clear().put(bytes, 0, length).putLong(mark).flip();
        sealed.get(length, bytes, length, MARK_BYTES);
        byte[] proof = mac(length + MARK_BYTES);
        return sealed.limit(length + BYTES).position(length + MARK_BYTES).put(proof).flip();
    }

    /** Returns whether a received datagram has a right seal. */
    boolean isRight(DirectBuffer received, int length) {
        if (length >= BYTES && received.getLong(length - BYTES, ByteOrder.LITTLE_ENDIAN) == mark) {
            received.getBytes(0, bytes, 0, length);
            int macAt = length - MAC_BYTES;
            if (MessageDigest.isEqual(mac(macAt), Arrays.copyOfRange(bytes, macAt, length))) {
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
