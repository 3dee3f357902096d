package io.teff.rdma.ffi;

import io.teff.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** File descriptors of native event queues: reads that do not wait, and waits with a limit. */
public final class Descriptors {
    private static final int F_GETFL = 3;
    private static final int F_SETFL = 4;
    private static final int O_NONBLOCK = 0x800;
    private static final short POLLIN = 1;
    private static final long FLAGS_OFFSET = 4;
    private static final long RESULT_OFFSET = 6;
    private static final long POLLFD_SIZE = 8;
    /** Two arguments of fcntl are named, all further ones are variadic. */
    private static final Downcall FCNTL = Downcall.of(NativeLibrary.C, "fcntl", Downcall.Result.INT, 3,
        Linker.Option.firstVariadicArg(2));
    private static final Downcall POLL = Downcall.of(NativeLibrary.C, "poll", Downcall.Result.INT, 3);

    private Descriptors() {}

    /**
     * Makes reads of a descriptor return EAGAIN instead of waiting.
     *
     * @throws RdmaException if the descriptor is not open
     */
    public static void setNonBlocking(int descriptor) {
        final long flags = FCNTL.call(descriptor, F_GETFL, 0);
        if (flags < 0) {
            throw new RdmaException(FCNTL.name(), CallState.errno());
        }
        FCNTL.zero(FCNTL.call(descriptor, F_SETFL, flags | O_NONBLOCK));
    }

    /**
     * Waits until a descriptor can be read. The thread waits inside of a native call, so a virtual thread keeps its
     * carrier.
     *
     * @param timeoutMs 0 looks once
     * @return false after the timeout, after a signal, and if the descriptor was closed meanwhile
     */
    public static boolean awaitReadable(int descriptor, int timeoutMs) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment entry = arena.allocate(POLLFD_SIZE, Integer.BYTES);
            entry.set(ValueLayout.JAVA_INT, 0, descriptor);
            entry.set(ValueLayout.JAVA_SHORT, FLAGS_OFFSET, POLLIN);
            return POLL.call(entry.address(), 1, timeoutMs) == 1
                && (entry.get(ValueLayout.JAVA_SHORT, RESULT_OFFSET) & POLLIN) != 0;
        }
    }
}
