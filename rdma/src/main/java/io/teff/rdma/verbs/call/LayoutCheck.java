package io.teff.rdma.verbs.call;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeMemory;

/**
 * Compares pointers and numbers of a new struct of the library with the expected values. A difference means that the
 * layout of the library is not {@link VerbsLayout}; the call then fails instead of using wrong fields.
 */
public final class LayoutCheck {
    private final String function;
    private final long struct;

    private LayoutCheck(String function, long struct) {
        this.function = function;
        this.struct = struct;
    }

    /** Begins the check of a struct that a function has returned. */
    public static LayoutCheck of(String function, long struct) {
        return new LayoutCheck(function, struct);
    }

    /** Checks a pointer or a number of 64 bits. */
    public LayoutCheck hasLong(long offset, long expected) {
        return that(NativeMemory.getLong(struct + offset) == expected, offset);
    }

    /** Checks a number of 32 bits. */
    public LayoutCheck hasInt(long offset, int expected) {
        return that(NativeMemory.getInt(struct + offset) == expected, offset);
    }

    /** Checks that a number of 32 bits is not smaller than a limit. */
    public LayoutCheck hasIntFrom(long offset, int least) {
        return that(NativeMemory.getInt(struct + offset) >= least, offset);
    }

    /** Checks that a pointer is not null. */
    public LayoutCheck hasPointer(long offset) {
        return that(NativeMemory.getLong(struct + offset) != 0, offset);
    }

    private LayoutCheck that(boolean isAsExpected, long offset) {
        if (!isAsExpected) {
            throw new RdmaException(function,
                "this version of the library has structs of another layout (offset " + offset + ")");
        }
        return this;
    }
}
