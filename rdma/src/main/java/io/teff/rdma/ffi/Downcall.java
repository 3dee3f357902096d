package io.teff.rdma.ffi;

import io.teff.rdma.RdmaException;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;

/**
 * A native function of the control path: integers and pointers in, an integer or a pointer out, with its errno.
 *
 * <p>All parameters are passed as {@code long}: an integer of C takes a whole register on the supported machines
 * (x86-64 and AArch64), and the callee reads the declared part. A pointer is the address; the caller keeps the memory
 * reachable until the call has returned. More than {@value #ARGUMENTS_MAX} parameters, or structs by value, need a
 * handle of their own ({@link NativeLibrary#handle}). A call takes tens of nanoseconds more than an exact handle, so
 * the data path has handles of its own, too.
 *
 * <p>Immutable, thread-safe. The errno is that of the calling thread ({@link CallState}).
 */
public final class Downcall {
    /** So many parameters fit into registers on both machines, less two for the address and the state. */
    static final int ARGUMENTS_MAX = 6;

    /** The result of a function. */
    public enum Result {
        /** A pointer or an integer of 64 bits. */
        LONG,
        /** An integer of 32 bits, widened with the sign. */
        INT,
        /** None: calls return 0. */
        VOID
    }

    private final String name;
    private final MethodHandle handle;

    private Downcall(String name, MethodHandle handle) {
        this.name = name;
        this.handle = handle;
    }

    /**
     * Binds a function. Never fails: see {@link NativeLibrary#handle}.
     *
     * @param arguments their number, 0 to {@value #ARGUMENTS_MAX}
     * @param options of the linker, such as {@link Linker.Option#firstVariadicArg}
     */
    public static Downcall of(NativeLibrary library, String name, Result result, int arguments,
            Linker.Option... options) {
        if (arguments < 0 || arguments > ARGUMENTS_MAX) {
            throw new IllegalArgumentException(name + ": arguments=" + arguments);
        }
        final MemoryLayout[] parameters = new MemoryLayout[arguments];
        Arrays.fill(parameters, ValueLayout.JAVA_LONG);
        final FunctionDescriptor shape = switch (result) {
            case LONG -> FunctionDescriptor.of(ValueLayout.JAVA_LONG, parameters);
            case INT -> FunctionDescriptor.of(ValueLayout.JAVA_INT, parameters);
            case VOID -> FunctionDescriptor.ofVoid(parameters);
        };
        final Linker.Option[] all = Arrays.copyOf(options, options.length + 1);
        all[options.length] = CallState.ERRNO;
        final MethodHandle raw = library.handle(name, shape, all);
        final MethodType type = raw.type().changeReturnType(long.class);
        return new Downcall(name, result == Result.VOID
            ? MethodHandles.filterReturnValue(raw,
                MethodHandles.constant(long.class, 0L))
            : raw.asType(type));
    }

    /** Returns the name of the function. */
    public String name() {
        return name;
    }

    /** Calls a function without parameters. */
    public long call() {
        try {
            return (long) handle.invokeExact(CallState.segment());
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** Calls a function with one parameter. */
    public long call(long a) {
        try {
            return (long) handle.invokeExact(CallState.segment(), a);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** Calls a function with two parameters. */
    public long call(long a, long b) {
        try {
            return (long) handle.invokeExact(CallState.segment(), a, b);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** Calls a function with three parameters. */
    public long call(long a, long b, long c) {
        try {
            return (long) handle.invokeExact(CallState.segment(), a, b, c);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** Calls a function with four parameters. */
    public long call(long a, long b, long c, long d) {
        try {
            return (long) handle.invokeExact(CallState.segment(), a, b, c, d);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** Calls a function with five parameters. */
    public long call(long a, long b, long c, long d, long e) {
        try {
            return (long) handle.invokeExact(CallState.segment(), a, b, c, d, e);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /** Calls a function with six parameters. */
    public long call(long a, long b, long c, long d, long e, long f) {
        try {
            return (long) handle.invokeExact(CallState.segment(), a, b, c, d, e, f);
        } catch (Throwable t) {
            throw failed(t);
        }
    }

    /**
     * Checks the result of a call that returns a pointer.
     *
     * @throws RdmaException with the errno, if it is null
     */
    public long pointer(long result) {
        if (result == 0) {
            throw new RdmaException(name, CallState.errno());
        }
        return result;
    }

    /**
     * Checks the result of a call that returns 0 on success. On failure, some functions return the errno, some the
     * negative errno, and some -1 and set errno.
     *
     * @throws RdmaException with the errno, if it is not 0
     */
    public void zero(long result) {
        if (result != 0) {
            throw new RdmaException(name, result > 0 ? (int) result : result == -1 ? CallState.errno() : (int) -result);
        }
    }

    /** Returns the failure to throw for what a handle has thrown: a native call declares no checked exception. */
    public static RuntimeException failed(Throwable thrown) {
        if (thrown instanceof RuntimeException runtime) {
            return runtime;
        }
        if (thrown instanceof Error error) {
            throw error;
        }
        throw new AssertionError(thrown);
    }
}
