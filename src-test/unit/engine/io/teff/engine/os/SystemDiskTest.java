package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.teff.test.kit.SmallDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: what only the machine's disk can show: a full device, failing syncs, locks of this process, the boot id. */
final class SystemDiskTest {
    private static final Path ALWAYS_FULL = Path.of("/dev/full");
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    @TempDir
    private Path folder;

    @Test
    void write_toAFullDevice_isToldApart() throws IOException {
        assumeTrue(Files.exists(ALWAYS_FULL));
        try (DiskFile file = Disk.SYSTEM.open(ALWAYS_FULL)) {
            IOException full = assertThrows(DiskFullException.class, () -> file.write(ByteBuffer.allocate(10), 0));
            assertEquals("/dev/full: the disk is full", full.getMessage());
        }
    }

    @Test
    void named_byWhatTheSystemSays_isFullOrNot() {
        Path path = folder.resolve("file");
        assertTrue(DiskFailures.named(new IOException("No space left on device"), path) instanceof DiskFullException);
        assertTrue(DiskFailures.named(new IOException("file: Disk quota exceeded"), path) instanceof DiskFullException);
        IOException broken = new IOException("Input/output error");
        assertEquals(broken, DiskFailures.named(broken, path));
        assertFalse(DiskFailures.named(new IOException((String) null), path) instanceof DiskFullException);
    }

    @Test
    void force_afterAFailure_isNotTriedAgain() throws IOException {
        Path path = folder.resolve("file");
        Disk.SYSTEM.create(path, 0).close();
        try (DiskFile open = Disk.SYSTEM.open(path)) {
            SystemFile file = (SystemFile) open;
            AtomicInteger tries = new AtomicInteger();
            SystemFile.Sync failing = metadata -> {
                assertFalse(metadata);
                tries.incrementAndGet();
                throw new IOException("Input/output error");
            };
            file.force();
            assertThrows(IOException.class, () -> file.force(failing));
            IOException refused = assertThrows(IOException.class, file::force);
            assertTrue(String.valueOf(refused.getMessage()).endsWith(
                "file: a sync has failed before: Input/output error"));
            assertThrows(IOException.class, () -> file.force(failing));
            assertEquals(1, tries.get());
        }
    }

    @Test
    void create_whereNothingCanBe_fails() {
        assertThrows(IOException.class, () -> Disk.SYSTEM.create(folder.resolve("none/file"), 10));
        assertThrows(IOException.class, () -> Disk.SYSTEM.createFolders(ALWAYS_FULL.resolve("folder")));
    }

    /** What the system reserves is read as zeros, has its room on the device, and can be written as any file. */
    @Test
    void reserve_hasRoomAndZeros() throws Exception {
        long bytes = 3 << 20;
        Charset ofPaths = Charset.forName(System.getProperty("sun.jnu.encoding", "US-ASCII"));
        for (String name : List.of("file", "another one", "na\u00efve \u6587")) {
            if (!ofPaths.newEncoder().canEncode(name)) {
                continue;                                       // nor can this JVM have such a path
            }
            Path path = folder.resolve(name);
            try (DiskFile file = Disk.SYSTEM.reserve(path, bytes)) {
                assertEquals(bytes, file.size());
                assertEquals(bytes, Files.size(path));
                long room = SmallDisk.roomOf(path);
                assertTrue(room >= bytes, () -> name + " has " + room);
                ByteBuffer read = ByteBuffer.allocate((int) bytes);
                assertEquals(bytes, file.read(read, 0));
                assertEquals(ByteBuffer.allocate((int) bytes), read.flip());
                file.write(ByteBuffer.wrap(new byte[] {1, 2}), bytes - 1);
                assertEquals(bytes + 1, file.size());
            }
            assertThrows(IOException.class, () -> Disk.SYSTEM.reserve(path, bytes));
        }
        assertEquals(0, Disk.SYSTEM.reserve(folder.resolve("empty"), 0).size());
    }

    @Test
    void reserve_whereNativeAccessIsGranted_writesNothing() throws IOException {
        assumeTrue(LinuxMemory.available());
        Path path = folder.resolve("file");
        Files.createFile(path);
        LinuxFile.Result result = LinuxFile.reserve(path, 1 << 20);
        assumeTrue(result != LinuxFile.Result.UNSUPPORTED, "this file system cannot do that");
        assertEquals(LinuxFile.Result.RESERVED, result);
        assertEquals(1 << 20, Files.size(path));
        assertEquals(LinuxFile.Result.UNSUPPORTED, LinuxFile.reserve(folder.resolve("none"), 1 << 20));
        assertEquals(LinuxFile.Result.UNSUPPORTED, LinuxFile.reserve(path, -1));
    }

    /** A link with a missing target is a file that no user can create, not even root. */
    @Test
    void lockShared_whereNoFileCanBeMade_seesWhoHasCome() throws IOException {
        Path target = folder.resolve("none/lock");
        Path lock = Files.createSymbolicLink(folder.resolve("lock"), target);
        Disk.SYSTEM.lockShared(lock, "me").close();
        Closeable held = Disk.SYSTEM.lockShared(lock, "me");
        Files.createDirectory(target.getParent());
        Disk.SYSTEM.lock(lock, "another").close();
        assertThrows(LockedException.class, held::close);
    }

    /** Code that saves all system properties and restores them later must not lock a folder by that. */
    @Test
    void lock_whoseSystemPropertyIsPutBack_isFree() throws IOException {
        Path lock = folder.resolve("lock");
        Properties kept = new Properties();
        try (var mine = Disk.SYSTEM.lock(lock, "me")) {
            kept.putAll(System.getProperties());
            assertTrue(mine != null && kept.values().stream().allMatch(String.class::isInstance));
        }
        Properties before = System.getProperties();
        System.setProperties(kept);
        try {
            Disk.SYSTEM.lock(lock, "me").close();
            assertFalse(kept.keySet().stream().anyMatch(it -> it.toString().contains(lock.toString())));
        } finally {
            System.setProperties(before);
        }
    }

    @Test
    void boot_ofThisMachine_isTheKernels() throws IOException {
        assumeTrue(Files.exists(BOOT));
        assertEquals(Files.readString(BOOT).strip(), String.valueOf(Disk.SYSTEM.boot()));
    }

    // ---- lost locks ----

    @Test
    void check_ofALockWhoseFileIsGoneOrReplaced_fails() throws IOException {
        Path lock = folder.resolve("lock");
        try (DiskLock mine = Disk.SYSTEM.lock(lock, "me")) {
            mine.check();
            Files.delete(lock);
            assertTrue(message(mine).endsWith("its file was deleted"), message(mine));
            Files.writeString(lock, "process 5\n");
            assertTrue(message(mine).endsWith("its file was replaced by another one"), message(mine));
        }
        assertEquals("process 5\n", Files.readString(lock));
    }

    @Test
    void check_ofALockThatAnotherOwnerHasTaken_namesIt() throws IOException {
        Path lock = folder.resolve("lock");
        try (DiskLock mine = Disk.SYSTEM.lock(lock, "me")) {
            Files.writeString(lock, "process 5\nlocked: 5 now key id\n");
            assertTrue(message(mine).endsWith("it was taken by process 5"), message(mine));
        }
        assertEquals("process 5\nlocked: 5 now key id\n", Files.readString(lock));
    }

    private static String message(DiskLock lock) {
        return String.valueOf(assertThrows(FileLockLostException.class, lock::check).getMessage());
    }

    /** The line of a lock counts for its very file and for a process that runs, and only for another one. */
    @Test
    void line_ofALock_isAliveWhileItsProcessRuns() {
        ProcessHandle parent = ProcessHandle.current().parent().orElseThrow();
        String mine = LockLine.of("the key");
        assertFalse(LockLine.isAlive("me\n" + mine, "the key"));
        String parents = mine.replace(" " + ProcessHandle.current().pid() + " ", " " + parent.pid() + " ")
            .replace(ProcessHandle.current().info().startInstant().orElseThrow().toString(),
                parent.info().startInstant().orElseThrow().toString());
        assertTrue(LockLine.isAlive("parent\n" + parents, "the key"));
        assertFalse(LockLine.isAlive("parent\n" + parents, "the key of a copy"));
        assertFalse(LockLine.isAlive("parent\n" + parents.replace("T", "U"), "the key"));
        for (String text : List.of("", "x", "x\n", "x\nlocked:", "x\nlocked: a b the_key d",
            "x\nlocked: -1 b the_key d")) {
            assertFalse(LockLine.isAlive(text, "the key"), text);
        }
    }

    @Test
    void lock_closed_leavesTheNameOfItsOwnerAlone() throws IOException {
        Path lock = folder.resolve("lock");
        try (DiskLock mine = Disk.SYSTEM.lock(lock, "me")) {
            mine.check();
            assertEquals(2, Files.readAllLines(lock).size());
        }
        assertEquals("me\n", Files.readString(lock));
    }

    /** Kernels count the times of files in ticks of milliseconds: a new file is often written in its first tick. */
    @Test
    void ownBirthNs_ofAFileWrittenInTheTickOfItsCreation_isTold() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        FileTime later = FileTime.from(Files.getLastModifiedTime(file).toInstant().plusSeconds(3600));
        Files.setLastModifiedTime(file, later);
        long birth = Disk.SYSTEM.birthNs(file);
        assumeTrue(birth != Disk.NO_BIRTH);
        assertEquals(birth, Disk.SYSTEM.ownBirthNs(file));
        assertEquals(later, Files.getLastModifiedTime(file));
        Files.setLastModifiedTime(file, FileTime.from(birth, TimeUnit.NANOSECONDS));
        assertEquals(Disk.NO_BIRTH, Disk.SYSTEM.birthNs(file));
        assertEquals(birth, Disk.SYSTEM.ownBirthNs(file));
        assertEquals(birth, Disk.SYSTEM.birthNs(file));
    }
}
