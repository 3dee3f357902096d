package io.teff.nio.selector.side;

import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The codes of the frames of a connection in a direction: HMAC-SHA-256 (RFC 2104) over the number of the frame and its
 * bytes. A frame that is changed, left out, repeated, or moved to another connection or direction has a wrong code. For
 * a thread at a time.
 */
public final class FrameSeal {
    /** Bytes of a code. */
    public static final int SIZE = 32;
    private static final String ALGORITHM = "HmacSHA256";

    private final Mac mac;
    private long number;

    /**
     * Begins with the first frame.
     *
     * @param key of the direction
     */
    FrameSeal(byte[] key) {
        mac = macOf(key);
    }

    static Mac macOf(byte[] key) {
        try {
            final Mac made = Mac.getInstance(ALGORITHM);
            made.init(new SecretKeySpec(key, ALGORITHM));
            return made;
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }

    /**
     * Returns the code of the next frame.
     *
     * @param frame whose bytes from position to limit count; unchanged
     */
    public byte[] next(ByteBuffer frame) {
        mac.update(ByteBuffer.allocate(Long.BYTES).putLong(0, number++));
        mac.update(frame.duplicate());
        return mac.doFinal();
    }

    /**
     * Checks the code of the next frame.
     *
     * @param frame whose bytes from position to limit count; unchanged
     * @param code that came with the frame
     * @return whether the peer has sealed this frame at this place
     */
    public boolean isNext(ByteBuffer frame, byte[] code) {
        return MessageDigest.isEqual(next(frame), code);
    }
}
