package io.teff.cluster.config;

import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** A cluster's secret, or none. The text of this object does not show the secret. Immutable. */
public final class Secret {
    /** No secret: nothing but this machine may reach the node. */
    public static final Secret NONE = new Secret(new byte[0]);

    /** Fewer bytes can be guessed. */
    static final int BYTES_MIN = 16;
    private static final int BYTES_MAX = 4096;

    private final byte[] bytes;

    private Secret(byte[] bytes) {
        this.bytes = bytes;
    }

    /**
     * Returns the secret of some bytes. All bytes count, except line feeds at the end: so the content of a file is the
     * same secret for each reader, whatever tool has written the file, and the secret of a secret is the same secret.
     *
     * @param bytes the secret, copied; none for no secret
     * @return the secret
     * @throws IllegalArgumentException if the secret is too short or too long, or all zeros; the message is without a
     *     subject
     */
    public static Secret of(byte[] bytes) {
        if (bytes.length == 0) {
            return NONE;
        }
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == '\n') {
            length--;
        }
        final byte[] secret = Arrays.copyOf(bytes, length);
        if (length < BYTES_MIN) {
            throw new IllegalArgumentException("has only " + length + " bytes"
                + (length < bytes.length ? " before its line feed" : "") + ", and needs " + BYTES_MIN);
        }
        if (bytes.length > BYTES_MAX) {
            throw new IllegalArgumentException("has more than " + BYTES_MAX + " bytes");
        }
        if (Arrays.equals(secret, new byte[secret.length])) {
            throw new IllegalArgumentException("has nothing but zeros");
        }
        return new Secret(secret);
    }

    /**
     * Reads a secret, as {@link #of} does.
     *
     * @param file with the secret, readable by its owner alone; a file of root or of this user also by its group
     * @return the secret
     * @throws IOException if the file cannot be read, is too short or too long, or is readable by other users; the
     *     reason of a {@link FileSystemException} names the fault
     */
    public static Secret read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new FileSystemException(file.toString(), null, "has more than " + BYTES_MAX + " bytes");
        }
        final Secret secret;
        try {
            secret = of(Files.readAllBytes(file));
        } catch (IllegalArgumentException e) {
            throw (IOException) new FileSystemException(file.toString(), null, FailureText.of(e)).initCause(e);
        }
        if (secret.isNone()) {
            throw new FileSystemException(file.toString(), null, "is empty");
        }
        PrivateFile.check(file);
        return secret;
    }

    /** {@return a copy of the bytes; none if there is no secret} */
    public byte[] bytes() {
        return bytes.clone();
    }

    /** {@return whether there is no secret} */
    public boolean isNone() {
        return bytes.length == 0;
    }

    /** {@return whether there is a secret, without it} */
    @Override
    public String toString() {
        return isNone() ? "no secret" : "a secret";
    }
}
