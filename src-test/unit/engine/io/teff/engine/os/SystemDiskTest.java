package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Goal: what only the machine's disk can show: a full device, failing syncs, who else has a lock, this boot. */
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
            assertTrue(String.valueOf(refused.getMessage()).endsWith("file: a sync has failed before"));
            assertThrows(IOException.class, () -> file.force(failing));
            assertEquals(1, tries.get());
        }
    }

    @Test
    void create_whereNothingCanBe_fails() {
        assertThrows(IOException.class, () -> Disk.SYSTEM.create(folder.resolve("none/file"), 10));
        assertThrows(IOException.class, () -> Disk.SYSTEM.createFolders(ALWAYS_FULL.resolve("folder")));
    }

    /** Another process that wants a lock, tells whether it has it, and keeps it until its input ends. */
    private Process process(Path lock, boolean isShared) throws IOException {
        Path source = folder.resolve("Holder.java");
        Files.writeString(source, """
            import java.nio.channels.*;
            import java.nio.file.*;

            class Holder {
                public static void main(String[] args) throws Exception {
                    boolean isShared = Boolean.parseBoolean(args[1]);
                    FileChannel channel = isShared ? FileChannel.open(Path.of(args[0]), StandardOpenOption.READ)
                        : FileChannel.open(Path.of(args[0]), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock lock = channel.tryLock(Long.MAX_VALUE - 1, 1, isShared);
                    Path path = Path.of(args[0]);
                    System.out.println(lock != null ? "held" : "refused by " + Files.readString(path).strip());
                    System.in.read();
                }
            }
            """);
        return new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            source.toString(), lock.toString(), Boolean.toString(isShared))
            .redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }

    private void assertOthersHear(String expected, Path lock, boolean isShared) throws IOException {
        Process other = process(lock, isShared);
        try (BufferedReader said = other.inputReader()) {
            assertEquals(expected, said.readLine());
        } finally {
            other.destroyForcibly();
        }
    }

    /** Also after this process has refused itself; had it opened the file for that, it would have lost its lock. */
    @Test
    void lock_ofAnotherProcess_isSeenHereAndThere() throws Exception {
        Path lock = folder.resolve("lock");
        Files.writeString(lock, "process 4711\n");
        Process other = process(lock, false);
        try (BufferedReader said = other.inputReader()) {
            assertEquals("held", said.readLine());
            IOException refused = assertThrows(LockedException.class, () -> Disk.SYSTEM.lock(lock, "me"));
            assertTrue(String.valueOf(refused.getMessage()).endsWith("is locked by process 4711"));
            assertEquals("process 4711\n", Files.readString(lock));
            other.outputWriter().close();
            assertTrue(other.waitFor(1, TimeUnit.MINUTES));
        } finally {
            other.destroyForcibly();
        }
        try (var mine = Disk.SYSTEM.lock(lock, "me")) {
            assertThrows(LockedException.class, () -> Disk.SYSTEM.lock(lock, "me again"));
            assertOthersHear("refused by me", lock, true);
            assertOthersHear("refused by me", lock, false);
            assertTrue(mine != null);
        }
    }

    /** A reader's lock of another process lets readers in, and a writer hears of it; its own keeps writers away. */
    @Test
    void lockShared_besideAnotherProcess_keepsWritersAway() throws Exception {
        Path lock = folder.resolve("lock");
        Files.writeString(lock, "process 4711\n");
        Process other = process(lock, true);
        try (BufferedReader said = other.inputReader()) {
            assertEquals("held", said.readLine());
            IOException refused = assertThrows(LockedException.class, () -> Disk.SYSTEM.lock(lock, "me"));
            assertTrue(String.valueOf(refused.getMessage()).endsWith("is locked by a reader"));
            Disk.SYSTEM.lockShared(lock, "me").close();
            other.outputWriter().close();
            assertTrue(other.waitFor(1, TimeUnit.MINUTES));
        } finally {
            other.destroyForcibly();
        }
        try (var one = Disk.SYSTEM.lockShared(lock, "me")) {
            Disk.SYSTEM.lockShared(lock, "me too").close();
            assertOthersHear("refused by process 4711", lock, false);
            assertOthersHear("held", lock, true);
            assertTrue(one != null);
        }
        assertEquals("process 4711\n", Files.readString(lock), "who reads has written");
        assertOthersHear("held", lock, false);
    }

    /** A link that leads nowhere is a file that nobody can make, whoever runs this. */
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

    /** Takes a lock by another class loader's copy of this library. */
    private static Closeable lockByCopy(Path lock, String holder) throws Exception {
        URL classes = Disk.class.getProtectionDomain().getCodeSource().getLocation();
        Class<?> copy = Class.forName(Disk.class.getName(), true,
            new URLClassLoader(new URL[] {classes}, null));
        assertNotSame(Disk.class, copy);
        try {
            return (Closeable) copy.getMethod("lock", Path.class, String.class)
                .invoke(copy.getField("SYSTEM").get(null), lock, holder);
        } catch (InvocationTargetException e) {
            throw new IOException(e.getCause());
        }
    }

    /** Had the copy opened the file to be refused, the process would have lost the lock when it closed it. */
    @Test
    void lock_ofAnotherCopyOfThisLibrary_isSeenByBoth() throws Exception {
        Path lock = folder.resolve("lock");
        try (var mine = Disk.SYSTEM.lock(lock, "me")) {
            for (int i = 0; i < 2; i++) {
                IOException refused = assertThrows(IOException.class, () -> lockByCopy(lock, "a copy"));
                assertTrue(String.valueOf(refused.getMessage()).endsWith("is locked by me"), refused.getMessage());
            }
            assertOthersHear("refused by me", lock, false);
            assertTrue(mine != null);
        }
        try (Closeable copys = lockByCopy(lock, "a copy")) {
            IOException refused = assertThrows(LockedException.class, () -> Disk.SYSTEM.lock(lock, "me"));
            assertTrue(String.valueOf(refused.getMessage()).endsWith("is locked by a copy"), refused.getMessage());
            assertTrue(copys != null);
        }
        Disk.SYSTEM.lock(lock, "me").close();
    }

    /** Whoever keeps all system properties and puts them back later must not lock a folder by that. */
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
}
