package io.teff.cluster.config;

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
     * Reads a secret. All bytes of the file count, except a line feed at the end.
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
        byte[] all = Files.readAllBytes(file);
        int length = all.length > 0 && all[all.length - 1] == '\n' ? all.length - 1 : all.length;
        if (length < BYTES_MIN) {
            throw new FileSystemException(file.toString(), null, "has only " + length + " bytes");
        }
        PrivateFile.check(file);
        return new Secret(Arrays.copyOf(all, length));
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
