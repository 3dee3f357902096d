package io.teff.cluster.config;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The check that only this user and root can change a file with a secret, and that no stranger can read the file.
 *
 * <p>The group of a file of root or of this user may read the file: the owner has chosen the group, and containers get
 * mounted secrets with such permissions (0440).
 */
final class PrivateFile {
    private static final int ROOT = 0;
    private static final String USER_NUMBER = "unix:uid";
    private static final Path PROCESS = Path.of("/proc/self");
    private static final Set<PosixFilePermission> FORBIDDEN = Set.of(PosixFilePermission.OTHERS_READ,
        PosixFilePermission.OTHERS_WRITE, PosixFilePermission.GROUP_WRITE);

    private PrivateFile() {}

    /** Refuses a file that strangers can read, or that other users can change; symbolic links are followed. */
    static void check(Path file) throws IOException {
        if (Files.getFileStore(file).supportsFileAttributeView("posix")) {
            String fault = fault(Files.getPosixFilePermissions(file), belongsToRootOrUser(file));
            if (fault != null) {
                throw new FileSystemException(file.toString(), null, fault);
            }
        }
    }

    /** Returns the fault of permissions, or null. */
    static @Nullable String fault(Set<PosixFilePermission> permissions, boolean belongsToRootOrUser) {
        if (permissions.stream().anyMatch(FORBIDDEN::contains)) {
            return "can be read or changed by other users: chmod 600, or 440 for a group";
        }
        return permissions.contains(PosixFilePermission.GROUP_READ) && !belongsToRootOrUser
            ? "can be read by a group, and belongs neither to root nor to the user of this process: chmod 600" : null;
    }

    /** By numbers, because the user of a container often has no name. */
    private static boolean belongsToRootOrUser(Path file) throws IOException {
        if (!Files.exists(PROCESS)) {
            String owner = Files.getOwner(file).getName();
            return owner.equals("root") || owner.equals(System.getProperty("user.name"));
        }
        int owner = (int) Files.getAttribute(file, USER_NUMBER);
        return owner == ROOT || owner == (int) Files.getAttribute(PROCESS, USER_NUMBER);
    }
}
