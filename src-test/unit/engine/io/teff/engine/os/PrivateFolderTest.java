package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PrivateFolderTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void checkFileSystem() {
        assumeTrue(folder.getFileSystem().supportedFileAttributeViews().contains("posix"), "users have no permissions");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void missingFolder_isMadePrivate_andTheFoldersAboveAreNot() throws IOException {
        Path lowest = folder.resolve("above").resolve("lowest");
        PrivateFolder.make(lowest);
        assertEquals("rwx------", permissions(lowest));
        Path usual = Files.createDirectory(folder.resolve("usual"));
        assertEquals(permissions(usual), permissions(lowest.getParent()));
    }

    @Test
    void existingFolder_keepsItsPermissions_untilItIsClosed() throws IOException {
        Path open = Files.createDirectory(folder.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));
        PrivateFolder.make(open);
        assertEquals("rwxrwxrwx", permissions(open));
        PrivateFolder.close(open);
        assertEquals("rwx------", permissions(open));
        PrivateFolder.close(open);
        assertTrue(Files.isDirectory(open));
    }

    /** More than private is private, too: the owner alone may read. */
    @Test
    void closedFolder_isNotOpenedForItsOwner() throws IOException {
        Path closed = Files.createDirectory(folder.resolve("closed"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-x------"));
        PrivateFolder.close(closed);
        assertEquals("r-x------", permissions(closed));
    }

    @Test
    void folderOfAnotherUser_keepsItsPermissions() throws IOException {
        Path other = Files.createDirectory(folder.resolve("other"));
        Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            Files.setAttribute(other, "unix:uid", 12_345);
        } catch (IOException _) {
            assumeTrue(false, "only root gives a folder to another user");
        }
        PrivateFolder.close(other);
        assertEquals("rwxr-xr-x", permissions(other));
    }
}
