package io.teff.cluster.aeron;

import io.aeron.CncFileDescriptor;
import io.aeron.CommonContext;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Folders of media drivers. The folders lie in a place where every user may write, so no folder is trusted for its
 * name: other users can make folders of any name, and put links into these folders.
 */
final class DriverFolder {
    private static final Set<PosixFilePermission> PRIVATE = PosixFilePermissions.fromString("rwx------");

    private DriverFolder() {}

    /** Makes a folder that no other user can read or write. */
    static void create(Path folder) throws IOException {
        Files.createDirectory(folder, isPosix(folder)
            ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(PRIVATE)} : new FileAttribute<?>[0]);
    }

    private static boolean isPosix(Path folder) {
        return folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** Returns whether only the owner of folder {@code own} can have made {@code folder} and its content. */
    static boolean isAlike(Path folder, Path own) throws IOException {
        return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
            && Files.getOwner(folder, LinkOption.NOFOLLOW_LINKS).equals(Files.getOwner(own))
            && (!isPosix(folder) || Files.getPosixFilePermissions(folder, LinkOption.NOFOLLOW_LINKS).equals(PRIVATE));
    }

    /**
     * Returns whether a driver runs in a folder. Unlike Aeron, does not wait for a driver that has died during its
     * start. A driver of another version of Aeron counts as running.
     *
     * @param deadMs silence after which a driver counts as ended
     */
    static boolean isActive(Path folder, long deadMs) {
        try {
            return hasStarted(folder) && CommonContext.isDriverActive(folder.toFile(), deadMs, _ -> {});
        } catch (RuntimeException _) {                          // the file cannot be understood
            return true;
        }
    }

    /** Returns whether the driver has started: the version, at the front of the file, is written last. */
    private static boolean hasStarted(Path folder) {
        try (InputStream file = Files.newInputStream(folder.resolve(CncFileDescriptor.CNC_FILE))) {
            return !Arrays.equals(file.readNBytes(Integer.BYTES), new byte[Integer.BYTES]);
        } catch (IOException _) {
            return false;
        }
    }

    /** Deletes a folder with its content. Symbolic links are deleted, not their targets. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.deleteIfExists(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
                if (e instanceof NoSuchFileException) {         // two processes delete the folder
                    return FileVisitResult.CONTINUE;
                }
                throw e;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, @Nullable IOException e) throws IOException {
                if (e != null) {
                    throw e;
                }
                Files.deleteIfExists(path);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
