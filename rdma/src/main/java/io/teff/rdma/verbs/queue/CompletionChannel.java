package io.teff.rdma.verbs.queue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.CallState;
import io.teff.rdma.ffi.Descriptors;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.verbs.call.EventWait;
import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import io.teff.rdma.verbs.call.VerbsObject;
import io.teff.rdma.verbs.device.RdmaContext;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A descriptor on which events of armed completion queues arrive, so that a thread can sleep until there is something
 * to poll. Thread-safe.
 */
public final class CompletionChannel extends VerbsObject {
    private static final int EAGAIN = 11;

    private final int descriptor;
    private final AtomicInteger queueCount = new AtomicInteger();
    /** Room for two pointers: the queue, and what the library gives back of its creation. */
    private final MemorySegment event = Arena.ofAuto().allocate(2L * Long.BYTES, Long.BYTES);

    private CompletionChannel(RdmaContext context, long handle) {
        super("completion channel", Handles.device(context), handle, context);
        descriptor = NativeMemory.getInt(handle + VerbsLayout.CHANNEL_FD);
        Descriptors.setNonBlocking(descriptor);
    }

    /**
     * Makes a channel.
     *
     * @param context the device
     * @return the channel
     * @throws RdmaException if the kernel refuses
     */
    public static CompletionChannel create(RdmaContext context) {
        final long device = Handles.of(context);
        return create(() -> {
            final long handle = VerbsLibrary.CREATE_COMP_CHANNEL.pointer(
                VerbsLibrary.CREATE_COMP_CHANNEL.call(device));
            try {
                LayoutCheck.of(VerbsLibrary.CREATE_COMP_CHANNEL.name(), handle)
                    .hasLong(VerbsLayout.CHANNEL_CONTEXT, device)
                    .hasIntFrom(VerbsLayout.CHANNEL_FD, 0);
            } catch (RdmaException e) {
                VerbsLibrary.DESTROY_COMP_CHANNEL.call(handle);
                throw e;
            }
            return new CompletionChannel(context, handle);
        }, context);
    }

    /**
     * Waits for an event of a queue that was armed. After it the queue must be polled, armed and polled again: {@link
     * CompletionQueue#await} does so for a channel with a single queue. The thread waits inside of a native call; a
     * virtual thread keeps its carrier.
     *
     * @param timeoutNs 0 looks once
     * @return the queue, or null when the time is over
     * @throws RdmaException if the kernel refuses
     * @throws IllegalStateException if this channel is or becomes closed
     */
    public @Nullable CompletionQueue await(long timeoutNs) {
        return await(new EventWait(timeoutNs));
    }

    @Nullable CompletionQueue await(EventWait wait) {
        do {
            final CompletionQueue queue = take();
            if (queue != null) {
                return queue;
            }
        } while (wait.slice(descriptor));
        return null;
    }

    private @Nullable CompletionQueue take() {
        enter();
        try {
            if (VerbsLibrary.GET_CQ_EVENT.call(handle(), event.address(), event.address() + Long.BYTES) != 0) {
                if (CallState.errno() == EAGAIN) {
                    return null;
                }
                throw new RdmaException(VerbsLibrary.GET_CQ_EVENT.name(), CallState.errno());
            }
            final long queue = event.get(ValueLayout.JAVA_LONG, 0);
            // The queue stays until all of its events were acknowledged: close waits for that.
            final VerbsObject source = device().source(queue);
            VerbsLibrary.ACK_CQ_EVENTS.call(queue, 1);
            return (CompletionQueue) source;
        } finally {
            leave();
        }
    }

    /** {@return a descriptor that can be read when an event waits, for programs that watch many} */
    public int descriptor() {
        requireOpen();
        return descriptor;
    }

    /** {@return how many queues send their events to this channel} */
    public int queueCount() {
        return queueCount.get();
    }

    void count(int queues) {
        queueCount.addAndGet(queues);
    }

    @Override
    protected void free() {
        VerbsLibrary.DESTROY_COMP_CHANNEL.zero(VerbsLibrary.DESTROY_COMP_CHANNEL.call(handle()));
    }
}
