package io.teff.rdma.ucx.call;

import io.teff.rdma.RdmaUnavailableException;
import io.teff.rdma.ffi.NativeLibrary;
import io.teff.rdma.ucx.UcxVersion;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * The library libucp: found, prepared for a JVM, and checked.
 *
 * <p>UCX takes the signals SIGSEGV, SIGBUS, SIGFPE and SIGILL for itself while it is loaded: it prints a backtrace for
 * each, and may stop the process. A JVM needs them: a null check and a safepoint are faults on purpose. So the variable
 * {@code UCX_ERROR_SIGNALS} is set to nothing in the environment of this process before the library is loaded, unless
 * it has a value already.
 *
 * <p>The port of a listener over TCP stays taken for a minute after the last connection, because the system keeps ended
 * connections; {@code UCX_TCP_CM_REUSEADDR} lets it listen at once. UCX 1.13 ignores that setting anywhere else.
 */
public final class UcpLibrary {
    public static final String SONAME = "libucp.so.0";
    public static final String DEBIAN_PACKAGE = "libucx0";
    private static final String SIGNALS = "UCX_ERROR_SIGNALS";
    private static final String LISTEN_AGAIN = "UCX_TCP_CM_REUSEADDR";
    private static final NativeLibrary LIBRARY = load();

    private UcpLibrary() {}

    private static NativeLibrary load() {
        try (Arena arena = Arena.ofConfined()) {
            final MethodHandle set = NativeLibrary.C.handle("setenv", FunctionDescriptor.of(ValueLayout.JAVA_INT,
                ValueLayout.ADDRESS, ValueLayout.ADDRESS, ValueLayout.JAVA_INT));
            int code = (int) set.invokeExact(arena.allocateFrom(SIGNALS), arena.allocateFrom(""), 0);
            assert code == 0 : code;
            code = (int) set.invokeExact(arena.allocateFrom(LISTEN_AGAIN), arena.allocateFrom("y"), 0);
            assert code == 0 : code;
        } catch (IllegalCallerException e) {
            return NativeLibrary.of(SONAME, DEBIAN_PACKAGE);   // it denies the library, too, and says why
        } catch (Throwable t) {
            throw new AssertionError(t);                        // a downcall declares nothing
        }
        return NativeLibrary.of(SONAME, DEBIAN_PACKAGE);
    }

    /** Returns the library, which may be missing. */
    public static NativeLibrary library() {
        return LIBRARY;
    }

    /** Returns a handle of a function. Enumerations of statuses have a single byte in C, the rest has four. */
    public static MethodHandle handle(String name, MemoryLayout result, MemoryLayout... parameters) {
        return LIBRARY.handle(name, FunctionDescriptor.of(result, parameters));
    }

    /** Returns a handle of a function without a result. */
    public static MethodHandle procedure(String name, MemoryLayout... parameters) {
        return LIBRARY.handle(name, FunctionDescriptor.ofVoid(parameters));
    }

    /**
     * Checks the library and its version.
     *
     * @throws RdmaUnavailableException otherwise
     */
    public static UcxVersion require() {
        LIBRARY.require();
        final UcxVersion version = Version.FOUND;
        check(version);
        return version;
    }

    /** Refuses a version that is too old or incompatible. */
    public static void check(UcxVersion found) {
        if (!found.isSupported()) {
            throw new RdmaUnavailableException(SONAME, DEBIAN_PACKAGE, "UCX " + found
                + " was found, and the binding needs " + UcxVersion.MAJOR + "." + UcxVersion.MINOR_MIN + " or newer");
        }
    }

    /** The version, which is asked for once. */
    private static final class Version {
        public static final UcxVersion FOUND = ask();

        private Version() {}

        private static UcxVersion ask() {
            final MethodHandle get = procedure("ucp_get_version", ValueLayout.ADDRESS, ValueLayout.ADDRESS,
                ValueLayout.ADDRESS);
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment major = arena.allocate(ValueLayout.JAVA_INT);
                final MemorySegment minor = arena.allocate(ValueLayout.JAVA_INT);
                final MemorySegment release = arena.allocate(ValueLayout.JAVA_INT);
                get.invokeExact(major, minor, release);
                return new UcxVersion(major.get(ValueLayout.JAVA_INT, 0), minor.get(ValueLayout.JAVA_INT, 0),
                    release.get(ValueLayout.JAVA_INT, 0));
            } catch (Throwable t) {
                throw new AssertionError(t);                    // a downcall declares nothing
            }
        }
    }
}
