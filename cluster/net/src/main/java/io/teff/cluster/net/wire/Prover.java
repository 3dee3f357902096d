package io.teff.cluster.net.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Proves that a side knows the cluster's secret: HMAC-SHA-256 (RFC 2104) over the side's name and all messages of both
 * sides so far, so that third parties cannot change any byte. For one handshake, and one thread at a time.
 */
final class Prover {
    private static final String ALGORITHM = "HmacSHA256";
    /** The key of a cluster without a secret: a key must not be empty. */
    private static final byte[] NO_SECRET = new byte[1];
    private static final byte[] DIALER = "teff dialer 1".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] LISTENER = "teff listener 1".getBytes(StandardCharsets.US_ASCII);

    private SecretKeySpec key;
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();

    Prover(byte[] secret) {
        key = key(secret);
    }

    private static SecretKeySpec key(byte[] secret) {
        return new SecretKeySpec(secret.length == 0 ? NO_SECRET : secret, ALGORITHM);
    }

    /** Uses another secret from now on. */
    void use(byte[] secret) {
        key = key(secret);
    }

    /** Adds a message sent by either side. */
    void add(byte[] message) {
        said.writeBytes(message);
    }

    /** Returns a proof with its code. The code also covers the other fields of the proof. */
    Greeting.Proof prove(Greeting.Proof without) {
        return new Greeting.Proof(without.isWelcome(), mac(without), without.session(), without.received(),
            without.limit(), without.isResumed());
    }

    /** Returns whether the other side's proof is valid; takes the same time for each invalid proof. */
    boolean isRight(Greeting.Proof proof) {
        return MessageDigest.isEqual(mac(proof), proof.mac());
    }

    private byte[] mac(Greeting.Proof proof) {
        final byte[] message = proof.toBytes();
        try {
            final Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(proof.isWelcome() ? LISTENER : DIALER);
            mac.update(said.toByteArray());
            mac.update(message, 0, Greeting.HEAD_BYTES);
            final int behind = Greeting.HEAD_BYTES + Greeting.MAC_BYTES;
            mac.update(message, behind, message.length - behind);
            return mac.doFinal();
        } catch (NoSuchAlgorithmException | InvalidKeyException e) {
            throw new IllegalStateException("each JDK has " + ALGORITHM, e);
        }
    }
}
