package io.teff.test.bench.disk;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The folder of benchmarks of disks: on a disk, with room, and deleted at the end. Plain loops leave nothing in it. */
final class RealFolderTest {
    private static final Path PARENT = Path.of("target");

    @TempDir
    private Path temporary;

    @Test
    void close_folderWithFiles_leavesNothing() throws IOException {
        Path path;
        try (RealFolder folder = RealFolder.make(PARENT, 1)) {
            path = folder.path();
            Files.createDirectories(path.resolve("a/b"));
            Files.writeString(path.resolve("a/b/file"), "text");
            assertTrue(path.isAbsolute());
        }
        assertFalse(Files.exists(path));
    }

    @Test
    void make_tooLittleRoom_saysHowMuchIsNeeded() {
        String message = assertThrows(IOException.class, () -> RealFolder.make(PARENT, Long.MAX_VALUE)).getMessage();
        assertTrue(message.contains("but 8589934592.0 are needed"), message);
    }

    @Test
    void make_fileSystemInMemory_isRefused() throws IOException {
        assertTrue(RealFolder.isInMemory("tmpfs"));
        assertFalse(RealFolder.isInMemory("ext4"));
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isDirectory(memory) && Files.getFileStore(memory).type().equals("tmpfs"));
        String message = assertThrows(IOException.class, () -> RealFolder.make(memory, 1)).getMessage();
        assertEquals("/dev/shm is in memory (tmpfs), not on a disk", message);
    }

    @Test
    void rawDisk_allLoops_haveFiguresAndLeaveNothing() throws IOException, InterruptedException {
        assertTrue(RawDisk.syncsPerSecond(temporary, 88, 1) > 0);
        assertTrue(RawDisk.writeMbPerSecond(temporary, 1 << 20, 1 << 17) > 0);
        try (var files = Files.list(temporary)) {
            assertEquals(0, files.count());
        }
        Path file = Files.write(temporary.resolve("file"), new byte[100_000]);
        assertTrue(RawDisk.readChecked(temporary, 2) > 0);
        assertTrue(RawDisk.usedBytes(temporary) >= 100_000);
        PageCache.drop(temporary);
        assertArrayEquals(new byte[100_000], Files.readAllBytes(file));
    }
}
