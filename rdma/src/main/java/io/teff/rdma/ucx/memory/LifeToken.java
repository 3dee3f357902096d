package io.teff.rdma.ucx.memory;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ffi.NanoClock;
import io.teff.rdma.ffi.NativeLibrary;
import io.teff.rdma.ucx.call.Native;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The proof of life of memory, for the processes of the same machine: an open file without a name in a directory. The
 * file disappears with the memory or with the process.
 *
 * <p>UCX 1.13 crashes at a key of shared memory that is gone. So the key carries this token, and the token is looked up
 * before UCX sees the key. Memory that ends within the microseconds between the look and the call is not noticed. A
 * token of another machine says nothing; there, UCX does not attach memory either.
 */
final class LifeToken {
    private static final Downcall CREATE = Downcall.of(NativeLibrary.C, "memfd_create", Downcall.Result.INT, 2);
    private static final Downcall CLOSE = Downcall.of(NativeLibrary.C, "close", Downcall.Result.INT, 1);
    private static final int CLOSE_ON_EXEC = 1;
    private static final String SEPARATOR = " ";
    private static final int MACHINE = 0;
    private static final int NAMESPACE = 1;
    private static final int PROCESS = 2;
    private static final int FILE = 3;
    private static final int NAME = 4;
    private static final int PARTS = 5;
    private static final AtomicLong COUNTER = new AtomicLong();

    private final int file;
    private final String text;

    private LifeToken(int file, String text) {
        this.file = file;
        this.text = text;
    }

    /** Creates a token with a file descriptor. */
    static LifeToken create() {
        final long process = ProcessHandle.current().pid();
        final String name = "teff-" + process + "-" + NanoClock.SYSTEM.nowNs() + "-" + COUNTER.incrementAndGet();
        try (Arena arena = Arena.ofConfined()) {
            final int file = (int) CREATE.call(Native.text(name, arena), CLOSE_ON_EXEC);
            if (file < 0) {
                throw new RdmaException(CREATE.name(), CallState.errno());
            }
            return new LifeToken(file, String.join(SEPARATOR, machine(), namespace(), Long.toString(process),
                Integer.toString(file), name));
        }
    }

    private static String machine() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        } catch (IOException e) {
            throw new RdmaException("boot_id", "it cannot be read: " + e.getMessage());
        }
    }

    private static String namespace() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/ns/pid")).toString();
        } catch (IOException e) {
            throw new RdmaException("pid namespace", "it cannot be read: " + e.getMessage());
        }
    }

    /** Returns the token for the wire. */
    String text() {
        return text;
    }

    /** Returns whether the memory of a token is known to be gone, or not accessible. */
    static boolean isOver(String text) {
        final String[] parts = text.split(SEPARATOR);
        if (parts.length != PARTS) {
            return true;
        }
        if (!parts[MACHINE].equals(machine()) || !parts[NAMESPACE].equals(namespace())) {
            return false;
        }
        try {
            final Path link = Path.of("/proc", parts[PROCESS], "fd", parts[FILE]);
            return !Files.readSymbolicLink(link).toString().startsWith("/memfd:" + parts[NAME]);
        } catch (IOException e) {
            return true;                                        // no process, no file, or no right to look
        }
    }

    /** Ends the token: from here on, the memory counts as gone. */
    void end() {
        CLOSE.call(file);
    }
}
