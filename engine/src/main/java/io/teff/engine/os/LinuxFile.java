package io.teff.engine.os;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.nio.charset.Charset;
import java.nio.file.Path;

/**
 * Room for a file on Linux, reserved by fallocate(2) without writing it. The JDK has no such call and shows no file
 * descriptor, so the file is opened here once more.
 *
 * <p>Not posix_fallocate(3): if the file system cannot reserve room, posix_fallocate writes a byte into each block, and
 * a file system with compressed or shared blocks does not reserve room then. Here the caller writes zeros.
 *
 * <p>To be used only where {@link LinuxMemory#available()}. Thread-safe.
 */
public final class LinuxFile {
    private static final int O_RDWR_CLOEXEC = 0x2 | 0x8_0000;
    /** No room on the device; no room within the user's quota. */
    private static final int ENOSPC = 28;
    private static final int EDQUOT = 122;
    /** The system's encoding of paths. */
    private static final String ENCODING = "sun.jnu.encoding";

    /** Outcome of a reservation. */
    public enum Result {
        /** The file has its length, reads as zeros, and has its room. */
        RESERVED,
        /** There is no room; the file may have some. */
        FULL,
        /** The system or the file system cannot do that. */
        UNSUPPORTED
    }

    private LinuxFile() {}

    /**
     * Reserves the room of a file, which thereby has at least this length. The contents stay, also if the file is
     * mapped and written meanwhile.
     *
     * @param path of a file
     * @param bytes length, at least 1
     * @return whether it has its room
     */
    public static Result reserve(Path path, long bytes) {
        final Charset encoding = Charset.forName(System.getProperty(ENCODING, Charset.defaultCharset().name()));
        final String name = path.toString();
        final byte[] encoded = name.getBytes(encoding);
        if (!new String(encoded, encoding).equals(name)) {
            return Result.UNSUPPORTED;
        }
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment text = arena.allocate(encoded.length + 1L);
            MemorySegment.copy(encoded, 0, text, ValueLayout.JAVA_BYTE, 0, encoded.length);
            final int file = Calls.open(arena, text);
            if (file < 0) {
                return Result.UNSUPPORTED;
            }
            try {
                return Calls.allocate(arena, file, bytes);
            } finally {
                Calls.close(file);
            }
        }
    }

    /** The handles, in a holder class so that they are linked on first use only. */
    @SuppressWarnings("restricted")
    private static final class Calls {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final AddressLayout TEXT = ValueLayout.ADDRESS;
        private static final MethodHandle OPEN = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("open"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, TEXT, ValueLayout.JAVA_INT),
            Linker.Option.captureCallState("errno"), Linker.Option.firstVariadicArg(2));
        private static final MethodHandle FALLOCATE = LINKER.downcallHandle(
            LINKER.defaultLookup().findOrThrow("fallocate"), FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG),
            Linker.Option.captureCallState("errno"));
        private static final MethodHandle CLOSE = LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow("close"),
            FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

        static int open(Arena arena, MemorySegment text) {
            try {
                return (int) OPEN.invokeExact(arena.allocate(CAPTURE), text, O_RDWR_CLOEXEC);
            } catch (Throwable t) {
                throw new AssertionError(t);                    // a downcall declares nothing
            }
        }

        static Result allocate(Arena arena, int file, long bytes) {
            try {
                final MemorySegment state = arena.allocate(CAPTURE);
                if ((int) FALLOCATE.invokeExact(state, file, 0, 0L, bytes) == 0) {
                    return Result.RESERVED;
                }
                final int error = (int) ERRNO.get(state, 0L);
                return error == ENOSPC || error == EDQUOT ? Result.FULL : Result.UNSUPPORTED;
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        }

        static void close(int file) {
            try {
                final int result = (int) CLOSE.invokeExact(file);
                assert result == 0 : result;
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        }
    }
}
