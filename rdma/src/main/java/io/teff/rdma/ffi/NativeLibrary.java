package io.teff.rdma.ffi;

import io.teff.rdma.RdmaUnavailableException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.GroupLayout;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A shared library, found by the name that the dynamic linker knows, such as {@code libibverbs.so.1}.
 *
 * <p>Creating one never fails, and neither does binding a function: without the library or without the function, the
 * handle throws {@link RdmaUnavailableException} whenever it is called. So handles can be constants of classes, which
 * load on every machine. The library is loaded at once and never unloaded. Immutable, thread-safe.
 */
public final class NativeLibrary {
    /** The C library, which is always there. */
    public static final NativeLibrary C = new NativeLibrary("libc.so.6", "libc6", Linker.nativeLinker()
        .defaultLookup(), null);
    private static final MethodHandle FAILURE = failure();

    private final String soname;
    private final String debianPackage;
    private final @Nullable SymbolLookup symbols;
    /** Half a sentence that says why the library is missing; null if it is there. */
    private final @Nullable String reason;

    private NativeLibrary(String soname, String debianPackage, @Nullable SymbolLookup symbols,
            @Nullable String reason) {
        this.soname = soname;
        this.debianPackage = debianPackage;
        this.symbols = symbols;
        this.reason = reason;
    }

    /**
     * Loads a library if it is there.
     *
     * @param soname the file name with the version of its interface
     * @param debianPackage the package that has the library
     */
    @SuppressWarnings("restricted")
    public static NativeLibrary of(String soname, String debianPackage) {
        try {
            return new NativeLibrary(soname, debianPackage, SymbolLookup.libraryLookup(soname, Arena.global()), null);
        } catch (IllegalArgumentException e) {
            return new NativeLibrary(soname, debianPackage, null, "this machine does not have the library");
        } catch (IllegalCallerException e) {
            return new NativeLibrary(soname, debianPackage, null,
                "this JVM denies native access (--enable-native-access=io.teff.rdma allows it)");
        }
    }

    /** Returns whether the library is there. */
    public boolean isPresent() {
        return symbols != null;
    }

    /**
     * Checks that the library is there.
     *
     * @throws RdmaUnavailableException if it is missing
     */
    public void require() {
        if (reason != null) {
            throw new RdmaUnavailableException(soname, debianPackage, reason);
        }
    }

    /** Returns whether the library is there and has a function or a variable. */
    public boolean has(String name) {
        return symbols != null && symbols.find(name).isPresent();
    }

    /** Returns the address of a function or a variable; empty without it, or without the library. */
    public Optional<MemorySegment> find(String name) {
        return symbols == null ? Optional.empty() : symbols.find(name);
    }

    /**
     * Returns a handle of a function.
     *
     * @param name of the function
     * @param shape its parameters and its result
     * @param options of the linker
     */
    @SuppressWarnings("restricted")
    public MethodHandle handle(String name, FunctionDescriptor shape, Linker.Option... options) {
        LinkedShapes.call(shape, options);
        final Optional<MemorySegment> symbol = find(name);
        if (symbol.isPresent()) {
            return Linker.nativeLinker().downcallHandle(symbol.get(), shape, options);
        }
        final MethodType type = type(shape, options);
        final String text = reason == null ? "this version of the library has no function " + name : reason;
        // A new exception for each call, so that its stack shows the caller.
        final Supplier<Object> missing = () -> {
            throw new RdmaUnavailableException(soname, debianPackage, text);
        };
        final MethodHandle thrower = FAILURE.bindTo(missing);
        return MethodHandles.dropArguments(thrower.asType(MethodType.methodType(type.returnType())), 0,
            type.parameterList());
    }

    /** Returns a handle of functions of one shape, whose first parameter is the address of the function. */
    @SuppressWarnings("restricted")
    public static MethodHandle pointer(FunctionDescriptor shape) {
        LinkedShapes.call(shape);
        return Linker.nativeLinker().downcallHandle(shape);
    }

    /**
     * Returns the address of a function of C that calls a method, for the rest of the process.
     *
     * @param target the method
     * @param shape its parameters and its result
     */
    @SuppressWarnings("restricted")
    public static long callback(MethodHandle target, FunctionDescriptor shape) {
        LinkedShapes.callback(shape);
        return Linker.nativeLinker().upcallStub(target, shape, Arena.global()).address();
    }

    /** Returns the type that the linker gives a handle; the linker itself may be denied. */
    private static MethodType type(FunctionDescriptor shape, Linker.Option... options) {
        MethodType type = shape.toMethodType();
        if (List.of(options).contains(CallState.ERRNO)) {
            type = type.insertParameterTypes(0, MemorySegment.class);
        }
        final boolean isStruct = shape.returnLayout().filter(GroupLayout.class::isInstance).isPresent();
        return isStruct ? type.insertParameterTypes(0, SegmentAllocator.class) : type;
    }

    private static MethodHandle failure() {
        try {
            return MethodHandles.publicLookup().findVirtual(Supplier.class, "get", MethodType.methodType(Object.class));
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String toString() {
        return soname + (reason == null ? "" : " (" + reason + ")");
    }
}
