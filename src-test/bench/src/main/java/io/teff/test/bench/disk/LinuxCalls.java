package io.teff.test.bench.disk;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;

/** Linux calls that the JDK has no method for. Each instance is for one thread: it holds the error number. */
final class LinuxCalls {
    static final int READ_ONLY = 0;
    static final int READ_WRITE = 2;
    /** Bypasses the page cache; the value is that of x86-64. */
    static final int DIRECT = 0x4000;

    private static final int ADVICE_DONTNEED = 4;
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

    private static final MethodHandle OPEN = find("open", FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT, JAVA_INT),
        2);
    private static final MethodHandle CLOSE = find("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle PWRITE = find("pwrite", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS,
        JAVA_LONG, JAVA_LONG));
    private static final MethodHandle PWRITEV = find("pwritev", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS,
        JAVA_INT, JAVA_LONG));
    private static final MethodHandle PREAD = find("pread", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS,
        JAVA_LONG, JAVA_LONG));
    private static final MethodHandle FDATASYNC = find("fdatasync", FunctionDescriptor.of(JAVA_INT, JAVA_INT));
    private static final MethodHandle FADVISE = find("posix_fadvise", FunctionDescriptor.of(JAVA_INT, JAVA_INT,
        JAVA_LONG, JAVA_LONG, JAVA_INT));
    private static final MethodHandle MMAP = find("mmap", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG,
        JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG));
    private static final MethodHandle MUNMAP = find("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG));
    private static final MethodHandle SYSCALL = find("syscall", FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG,
        JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG), 1);

    private final MemorySegment state = Arena.ofAuto().allocate(CAPTURE);

    @SuppressWarnings("restricted")
    private static MethodHandle find(String name, FunctionDescriptor function, int... firstVariadic) {
        Linker.Option errno = Linker.Option.captureCallState("errno");
        Linker.Option[] options = firstVariadic.length == 0 ? new Linker.Option[] {errno}
            : new Linker.Option[] {errno, Linker.Option.firstVariadicArg(firstVariadic[0])};
        return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), function, options);
    }

    /** Opens a file, or throws with the error number. */
    int open(Path path, int flags) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            return (int) checked("open of " + path,
                (int) OPEN.invokeExact(state, arena.allocateFrom(path.toString()), flags, 0));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    void close(int file) throws IOException {
        try {
            checked("close", (int) CLOSE.invokeExact(state, file));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    void write(int file, MemorySegment source, long bytes, long at) throws IOException {
        try {
            complete("pwrite", bytes, (long) PWRITE.invokeExact(state, file, source, bytes, at));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Writes a list of pieces, each an address and a length. */
    void writePieces(int file, MemorySegment pieces, int count, long bytes, long at) throws IOException {
        try {
            complete("pwritev", bytes, (long) PWRITEV.invokeExact(state, file, pieces, count, at));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    void read(int file, MemorySegment target, long bytes, long at) throws IOException {
        try {
            complete("pread", bytes, (long) PREAD.invokeExact(state, file, target, bytes, at));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    void sync(int file) throws IOException {
        try {
            checked("fdatasync", (int) FDATASYNC.invokeExact(state, file));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Drops the synced pages of a file from the page cache. */
    void drop(int file) throws IOException {
        try {
            int error = (int) FADVISE.invokeExact(state, file, 0L, 0L, ADVICE_DONTNEED);
            if (error != 0) {
                throw new IOException("posix_fadvise: error " + error);
            }
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    long map(long bytes, int protection, int flags, int file, long offset) throws IOException {
        try {
            return checked("mmap", (long) MMAP.invokeExact(state, 0L, bytes, protection, flags, file, offset));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    void unmap(long address, long bytes) throws IOException {
        try {
            checked("munmap", (int) MUNMAP.invokeExact(state, address, bytes));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    /** Makes a system call without a function in the C library; addresses are given as numbers. */
    long call(String name, long number, long... a) throws IOException {
        try {
            return checked(name, (long) SYSCALL.invokeExact(state, number, a[0], a[1], a[2], a[3], a[4], a[5]));
        } catch (Throwable e) {
            throw thrown(e);
        }
    }

    private static void complete(String name, long wanted, long done) throws IOException {
        if (done != wanted) {
            throw new IOException(name + ": " + done + " of " + wanted + " bytes");
        }
    }

    private long checked(String name, long result) throws IOException {
        if (result == -1) {
            throw new IOException(name + ": error " + (int) ERRNO.get(state, 0L));
        }
        return result;
    }

    /** Converts an exception of a call to one that callers expect: a call itself declares nothing. */
    private static IOException thrown(Throwable e) {
        return switch (e) {
            case IOException io -> io;
            case RuntimeException runtime -> throw runtime;
            case Error error -> throw error;
            default -> throw new AssertionError(e);
        };
    }
}
