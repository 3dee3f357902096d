package io.teff.engine.os;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Folders closed to all users but this user and root. Files in such a folder need no further permissions: umask and
 * libraries choose the permissions of most files.
 *
 * <p>Without effect on a file system without users.
 */
public final class PrivateFolder {
    private static final String USER_NUMBER = "unix:uid";
    private static final Path PROCESS = Path.of("/proc/self");
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private PrivateFolder() {}

    /**
     * Makes a missing folder. Missing folders above get the usual permissions of this user. An existing folder keeps
     * the permissions of its maker.
     *
     * @param folder to make, unless there is one
     * @throws IOException if the folder cannot be made
     */
    public static void make(Path folder) throws IOException {
        Path above = folder.toAbsolutePath().getParent();
        if (!Files.isDirectory(folder)) {
            if (above != null) {
                Disk.SYSTEM.createSyncedFolders(above);
            }
            Files.createDirectory(folder, isPosix(folder)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PRIVATE)} : new FileAttribute<?>[0]);
        }
    }

    /**
     * Closes an existing folder of this user to all other users. A folder of another user keeps its permissions.
     *
     * @param folder an existing folder, of any user
     * @throws IOException if the folder cannot be changed
     */
    public static void close(Path folder) throws IOException {
        if (isPosix(folder) && belongsToUser(folder) && !PRIVATE.containsAll(Files.getPosixFilePermissions(folder))) {
            Files.setPosixFilePermissions(folder, PRIVATE);
        }
    }

    /** By numbers, because the user of a container often has no name. */
    private static boolean belongsToUser(Path folder) throws IOException {
        return !Files.exists(PROCESS)
            || Files.getAttribute(folder, USER_NUMBER).equals(Files.getAttribute(PROCESS, USER_NUMBER));
    }

    private static boolean isPosix(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    }
}
