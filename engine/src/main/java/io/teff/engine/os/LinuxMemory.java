package io.teff.engine.os;

import io.teff.engine.error.StoreException;
import io.teff.engine.error.StoreException.Category;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * Reserved address space on Linux: mmap(2), madvise(2), mprotect(2), munmap(2), each with its errno.
 *
 * <p>Loaded only where native access was granted to the engine; see {@link #available()}. Thread-safe.
 */
public final class LinuxMemory {
    private static final int PROT_NONE = 0;
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_NORESERVE = 0x02 | 0x20 | 0x4000;
    private static final int MADV_DONTNEED = 4;
    private static final int MADV_HUGEPAGE = 14;
    private static final int MADV_NOHUGEPAGE = 15;
    private static final int EINVAL = 22;
    /** Huge pages of 2 MiB need a base on 2 MiB. */
    private static final long BASE_ALIGNMENT = 2L << 20;
    static final int PAGE_BYTES = 4 << 10;

    private LinuxMemory() {}

    /**
     * Returns true if memory can be reserved without a warning from the JVM: Linux, 64 bit, and native access granted.
     *
     * @return whether the other methods may be called
     */
    public static boolean available() {
        return SystemInfo.linux()
            && ValueLayout.ADDRESS.byteSize() == Long.BYTES
            && LinuxMemory.class.getModule().isNativeAccessEnabled();
    }

    /**
     * Returns true if the JVM permits native access, perhaps with a warning, which the JDK then prints.
     *
     * @return whether the other methods may be called
     */
    @SuppressWarnings("restricted")
    public static boolean permitted() {
        if (!SystemInfo.linux() || ValueLayout.ADDRESS.byteSize() != Long.BYTES) {
            return false;
        }
        try {
            return MemorySegment.NULL.reinterpret(1).byteSize() == 1;
        } catch (IllegalCallerException e) {
            return false;                                       // --illegal-native-access=deny
        }
    }

    /**
     * Reserved address space.
     *
     * @param start address of its first byte, on 2 MiB
     * @param mapped result of mmap
     * @param span bytes to unmap
     */
    public record Reservation(long start, long mapped, long span) {
        /** Unmaps the space; it must not be used afterwards. */
        public void unmap() {
            Calls.munmap(mapped, span);
        }
    }

    /**
     * Reserves address space; the kernel commits memory, zeroed, when a page is first touched. A page behind the space
     * can be read, too.
     *
     * @param bytes the size, a multiple of 4 KiB
     * @return the space, or null if the kernel refuses
     */
    public static @Nullable Reservation reserve(long bytes) {
        long span = bytes + BASE_ALIGNMENT;
        long mapped = Calls.mmap(span);
        if (mapped == -1) {
            return null;
        }
        long start = (mapped + BASE_ALIGNMENT - 1) & -BASE_ALIGNMENT;
        assert start + bytes + PAGE_BYTES <= mapped + span : "a page is left behind the space";
        return new Reservation(start, mapped, span);
    }

    /**
     * Returns memory to the kernel; the range reads as zero afterwards.
     *
     * @param start machine address of the first page
     * @param bytes whole 4 KiB pages
     */
    public static void giveBack(long start, long bytes) {
        Calls.madvise(start, bytes, MADV_DONTNEED, 0);
    }

    /**
     * Requests huge pages, or small ones. A kernel that was built without huge pages does not know the request: it has
     * small ones only.
     *
     * @param start machine address of the first page
     * @param bytes whole 4 KiB pages
     * @param wanted true for huge pages
     */
    public static void hugePages(long start, long bytes, boolean wanted) {
        Calls.madvise(start, bytes, wanted ? MADV_HUGEPAGE : MADV_NOHUGEPAGE, EINVAL);
    }

    /**
     * Makes a range inaccessible (any access ends the process with SIGSEGV), or accessible again.
     *
     * @param start machine address of the first page
     * @param bytes whole 4 KiB pages
     * @param accessible true to allow reads and writes
     */
    public static void protect(long start, long bytes, boolean accessible) {
        Calls.mprotect(start, bytes, accessible ? PROT_READ_WRITE : PROT_NONE);
    }

    /** The handles, in a holder class so that they are linked on first use only. */
    @SuppressWarnings("restricted")
    private static final class Calls {
        private static final Linker LINKER = Linker.nativeLinker();
        private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
        private static final VarHandle ERRNO = CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
        private static final MethodHandle MMAP = handle("mmap", FunctionDescriptor.of(ValueLayout.JAVA_LONG,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT,
            ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG));
        private static final MethodHandle MUNMAP = handle("munmap", FunctionDescriptor.of(ValueLayout.JAVA_INT,
            ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG));
        private static final MethodHandle MADVISE = handle("madvise", threeArguments());
        private static final MethodHandle MPROTECT = handle("mprotect", threeArguments());

        private static FunctionDescriptor threeArguments() {
            return FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT);
        }

        private static MethodHandle handle(String name, FunctionDescriptor shape) {
            return LINKER.downcallHandle(LINKER.defaultLookup().findOrThrow(name), shape,
                Linker.Option.captureCallState("errno"));
        }

        static long mmap(long bytes) {
            try (Arena arena = Arena.ofConfined()) {
                return (long) MMAP.invokeExact(arena.allocate(CAPTURE), 0L, bytes, PROT_READ_WRITE,
                    MAP_PRIVATE_ANONYMOUS_NORESERVE, -1, 0L);
            } catch (Throwable t) {
                throw new AssertionError(t);                    // a downcall declares nothing
            }
        }

        static void munmap(long address, long bytes) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(CAPTURE);
                check("munmap", (int) MUNMAP.invokeExact(state, address, bytes), state, bytes);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        }

        /** Gives an advice; one error may be of no consequence. */
        static void madvise(long start, long bytes, int advice, int tolerated) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(CAPTURE);
                int result = (int) MADVISE.invokeExact(state, start, bytes, advice);
                if (result != 0 && (int) ERRNO.get(state, 0L) != tolerated) {
                    check("madvise", result, state, bytes);
                }
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        }

        static void mprotect(long start, long bytes, int protection) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment state = arena.allocate(CAPTURE);
                check("mprotect", (int) MPROTECT.invokeExact(state, start, bytes, protection), state, bytes);
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable t) {
                throw new AssertionError(t);
            }
        }

        private static void check(String call, int result, MemorySegment state, long bytes) {
            if (result != 0) {
                throw new StoreException(Category.DEGRADED,
                    call + " bytes=" + bytes + " failed with errno=" + (int) ERRNO.get(state, 0L));
            }
        }
    }
}
