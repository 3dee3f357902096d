package io.teff.nio.selector.side;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The secret of the side ports: bytes, or a file that is read at the first use. The text form shows no secret. */
public final class SideSecret {
    /** Fewest bytes of a secret. */
    public static final int BYTES_MIN = 16;
    /** Most bytes of a secret. */
    public static final int BYTES_MAX = 1_024;
    private static final Set<PosixFilePermission> OTHERS = Set.of(PosixFilePermission.GROUP_READ,
        PosixFilePermission.GROUP_WRITE, PosixFilePermission.OTHERS_READ, PosixFilePermission.OTHERS_WRITE);

    private final byte @Nullable [] bytes;
    private final @Nullable Path file;

    private SideSecret(byte @Nullable [] bytes, @Nullable Path file) {
        this.bytes = bytes;
        this.file = file;
    }

    /**
     * Makes a secret of bytes.
     *
     * @param bytes 16 to 1,024, copied
     * @return with the bytes
     */
    public static SideSecret of(byte[] bytes) {
        if (bytes.length < BYTES_MIN || bytes.length > BYTES_MAX) {
            throw new IllegalArgumentException("secret of " + bytes.length + " bytes, limits " + BYTES_MIN + " and "
                + BYTES_MAX);
        }
        return new SideSecret(bytes.clone(), null);
    }

    /**
     * Makes a secret of a file. Ends of lines behind the secret do not count.
     *
     * @param file closed to the group and to other users; read later
     * @return with the file
     */
    public static SideSecret of(Path file) {
        return new SideSecret(null, file);
    }

    /**
     * Returns the bytes.
     *
     * @throws IOException if the file cannot be read, is open to others, or has a wrong size
     */
    public byte[] read() throws IOException {
        final Path from = file;
        if (from == null) {
            return bytes == null ? new byte[0] : bytes.clone();
        }
        if (Files.getPosixFilePermissions(from).stream().anyMatch(OTHERS::contains)) {
            throw new IOException(from + " is open to other users");
        }
        if (Files.size(from) > BYTES_MAX) {
            throw new IOException(from + " has more than " + BYTES_MAX + " bytes");
        }
        final byte[] all = Files.readAllBytes(from);
        int length = all.length;
        while (length > 0 && (all[length - 1] == '\n' || all[length - 1] == '\r')) {
            length--;
        }
        if (length < BYTES_MIN) {
            throw new IOException(from + " has fewer than " + BYTES_MIN + " bytes");
        }
        return Arrays.copyOf(all, length);
    }

    @Override
    public String toString() {
        return file == null ? "a secret of bytes" : "the secret of " + file;
    }
}
