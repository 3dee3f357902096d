package io.teff.engine.os;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.test.kit.Threads;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a lock keeps other processes, and other class loaders' copies of this library, away as documented.
 *
 * <p>Method: child JVMs that take the lock, or are refused.
 */
@Tag("system")
@Tag("processes")
final class DiskLockProcessTest {
    @TempDir
    private Path folder;

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

    /** Its parent, which does not ask for the ends of its children, keeps its number and its times. */
    @Test
    void lock_ofAKilledProcess_whoseParentHasNotNoticed_isFree() throws Exception {
        Path lock = folder.resolve("lock");
        Path source = folder.resolve("Writer.java");
        Files.writeString(source, """
            class Writer {
                public static void main(String[] args) throws Exception {
                    var lock = io.teff.engine.os.Disk.SYSTEM.lock(java.nio.file.Path.of(args[0]), "a writer");
                    System.out.println(ProcessHandle.current().pid());
                    System.in.read();
                    lock.close();
                }
            }
            """);
        // a shell gives its background processes an empty input, so the writer takes the shell's own as file 3
        Path classes = Path.of(Disk.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        Process parent = new ProcessBuilder("sh", "-c", "exec 3<&0; (exec \"$@\" <&3) & exec sleep 600", "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", classes.toString(),
            source.toString(), lock.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (BufferedReader said = parent.inputReader()) {
            long pid = Long.parseLong(said.readLine());
            assertThrows(LockedException.class, () -> Disk.SYSTEM.lock(lock, "me"));
            ProcessHandle.of(pid).orElseThrow().destroyForcibly();
            Threads.await("it has ended", () -> isZombie(pid));
            Threads.await("its threads have ended, too", () -> isFree(lock));
            assertTrue(isZombie(pid));
        } finally {
            parent.destroyForcibly();
        }
    }

    private static boolean isFree(Path lock) {
        try {
            Disk.SYSTEM.lock(lock, "me").close();
            return true;
        } catch (LockedException e) {
            assertFalse(String.valueOf(e.getMessage()).contains("still runs"), e.getMessage());
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isZombie(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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
}
