package io.teff.rdma.ffi;

import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;

/**
 * The errno that the last {@link Downcall} of a thread has left. Each platform thread and each virtual thread has a
 * state of its own.
 */
public final class CallState {
    /** The option that makes a handle keep the errno; its first parameter is then {@link #segment()}. */
    public static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
    private static final StructLayout LAYOUT = Linker.Option.captureStateLayout();
    private static final long ERRNO_OFFSET = LAYOUT.byteOffset(MemoryLayout.PathElement.groupElement("errno"));
    private static final ThreadLocal<MemorySegment> SEGMENTS =
        ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(LAYOUT));

    private CallState() {}

    /** Returns the memory of this thread for the errno of a call. */
    public static MemorySegment segment() {
        return SEGMENTS.get();
    }

    /** Returns the errno that the last call of this thread has left. The errno counts only after a failed call. */
    public static int errno() {
        return SEGMENTS.get().get(ValueLayout.JAVA_INT, ERRNO_OFFSET);
    }
}
