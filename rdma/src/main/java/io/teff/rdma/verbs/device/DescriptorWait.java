package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.Downcall;
import io.teff.rdma.ffi.NativeLibrary;
import io.teff.rdma.ffi.NativeObject;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.concurrent.TimeUnit;

/**
 * A wait for several descriptors at once, such as those of a {@link io.teff.rdma.verbs.queue.CompletionChannel} and a
 * {@link io.teff.rdma.verbs.connect.ConnectionManager}. One thread waits; any thread may {@link #wake} it.
 */
public final class DescriptorWait extends NativeObject {
    /** The most descriptors. */
    public static final int DESCRIPTORS_MAX = 32;

    private static final Downcall EVENTFD = Downcall.of(NativeLibrary.C, "eventfd", Downcall.Result.INT, 2);
    private static final Downcall READ = Downcall.of(NativeLibrary.C, "read", Downcall.Result.LONG, 3);
    private static final Downcall WRITE = Downcall.of(NativeLibrary.C, "write", Downcall.Result.LONG, 3);
    private static final Downcall CLOSE = Downcall.of(NativeLibrary.C, "close", Downcall.Result.INT, 1);
    private static final Downcall POLL = Downcall.of(NativeLibrary.C, "poll", Downcall.Result.INT, 3);
    /** Reads and writes do not wait, and started processes do not inherit the descriptor. */
    private static final int FLAGS = 0x80800;
    private static final int EINTR = 4;
    private static final short POLLIN = 1;
    // struct pollfd: descriptor, wanted events, events.
    private static final long WANTED = 4;
    private static final long FOUND = 6;
    private static final long ENTRY_SIZE = 8;
    private static final long ROUND_UP_NS = 999_999;

    private final int own;
    private final MemorySegment entries = Arena.ofAuto().allocate((DESCRIPTORS_MAX + 1) * ENTRY_SIZE, Long.BYTES);
    private final MemorySegment counter = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private final MemorySegment one = Arena.ofAuto().allocate(Long.BYTES, Long.BYTES);
    private int count;

    private DescriptorWait(int own) {
        super("descriptor wait");
        this.own = own;
        one.set(ValueLayout.JAVA_LONG, 0, 1);
        set(0, own);
    }

    /**
     * Opens a wait without descriptors.
     *
     * @return open until {@link #close}
     * @throws RdmaException if the process has no descriptor left
     */
    public static DescriptorWait open() {
        return create(() -> {
            final long descriptor = EVENTFD.call(0, FLAGS);
            if (descriptor < 0) {
                throw new RdmaException(EVENTFD.name(), CallState.errno());
            }
            return new DescriptorWait((int) descriptor);
        });
    }

    private void set(int index, int descriptor) {
        entries.set(ValueLayout.JAVA_INT, index * ENTRY_SIZE, descriptor);
        entries.set(ValueLayout.JAVA_SHORT, index * ENTRY_SIZE + WANTED, POLLIN);
    }

    /**
     * Adds a descriptor, which must stay open as long as this object waits. By the waiting thread.
     *
     * @param descriptor open
     */
    public void add(int descriptor) {
        if (count == DESCRIPTORS_MAX) {
            throw new IllegalStateException("there are " + count + " descriptors");
        }
        set(++count, descriptor);
    }

    /**
     * Waits until a descriptor can be read, until {@link #wake}, or until the time is over. The thread waits inside of
     * a native call; a virtual thread keeps its carrier.
     *
     * @param timeoutNs a part of a millisecond counts as one
     * @return false when the time is over
     * @throws IllegalStateException if this object is closed
     * @throws RdmaException if the kernel refuses
     */
    public boolean await(long timeoutNs) {
        requireOpen();
        final long timeoutMs = timeoutNs <= 0 ? 0
            : TimeUnit.NANOSECONDS.toMillis(Math.min(timeoutNs, Long.MAX_VALUE - ROUND_UP_NS) + ROUND_UP_NS);
        final long found = POLL.call(entries.address(), count + 1L, Math.min(timeoutMs, Integer.MAX_VALUE));
        if (found < 0 && CallState.errno() != EINTR) {
            throw new RdmaException(POLL.name(), CallState.errno());
        }
        if (found > 0 && entries.get(ValueLayout.JAVA_SHORT, FOUND) != 0) {
            READ.call(own, counter.address(), Long.BYTES);     // the next wait waits again
            Reference.reachabilityFence(counter);
        }
        Reference.reachabilityFence(entries);
        return found != 0;
    }

    /** Ends the wait, the current or the next one. Any thread; does nothing once this object is closed. */
    public void wake() {
        try {
            enter();
        } catch (IllegalStateException _) {
            return;                                             // there is nothing to wake
        }
        try {
            WRITE.call(own, one.address(), Long.BYTES);
            Reference.reachabilityFence(one);
        } finally {
            leave();
        }
    }

    @Override
    protected void free() {
        CLOSE.call(own);
    }
}
