package io.teff.rdma.verbs.queue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.verbs.call.DataPath;
import io.teff.rdma.verbs.call.EventWait;
import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import io.teff.rdma.verbs.call.VerbsObject;
import io.teff.rdma.verbs.device.RdmaContext;
import org.jspecify.annotations.Nullable;

/**
 * A queue of results of work requests. A full queue loses the next result and is broken: the device then reports {@link
 * io.teff.rdma.verbs.device.AsyncEventType#CQ_ERR}. So it needs room for all signalled sends and all receives under
 * way. Thread-safe; {@link Completions} belong to one thread.
 */
public final class CompletionQueue extends VerbsObject {
    private final RdmaContext context;
    private final DataPath path;
    private final @Nullable CompletionChannel channel;

    private CompletionQueue(RdmaContext context, @Nullable CompletionChannel channel, long handle) {
        super("completion queue", Handles.device(context), handle, owners(context, channel));
        this.context = context;
        this.channel = channel;
        path = device().path();
        device().add(this);
        if (channel != null) {
            channel.count(1);
        }
    }

    /**
     * Makes a completion queue without events.
     *
     * @param context the device
     * @param entries completions that have room at least
     * @return the queue
     * @throws RdmaException if the device cannot have such a queue
     */
    public static CompletionQueue create(RdmaContext context, int entries) {
        return make(context, entries, null, 0);
    }

    /**
     * Makes a completion queue whose events arrive at a channel.
     *
     * @param context the device
     * @param entries completions that have room at least
     * @param channel of the same context
     * @return the queue
     * @throws RdmaException if the device cannot have such a queue
     */
    public static CompletionQueue create(RdmaContext context, int entries, CompletionChannel channel) {
        return make(context, entries, channel, 0);
    }

    /**
     * Makes a completion queue whose events arrive at a channel, by an interrupt of the program's choice.
     *
     * @param context the device
     * @param entries completions that have room at least
     * @param channel of the same context
     * @param vector 0 to {@link RdmaContext#vectorCount} - 1
     * @return the queue
     * @throws RdmaException if the device cannot have such a queue
     */
    public static CompletionQueue create(RdmaContext context, int entries, CompletionChannel channel, int vector) {
        return make(context, entries, channel, vector);
    }

    private static CompletionQueue make(RdmaContext context, int entries, @Nullable CompletionChannel channel,
            int vector) {
        if (entries < 1) {
            throw new IllegalArgumentException("entries=" + entries);
        }
        final long device = Handles.of(context);
        return create(() -> {
            final long events = channel == null ? 0 : Handles.of(channel);
            final long handle = VerbsLibrary.CREATE_CQ.pointer(
                VerbsLibrary.CREATE_CQ.call(device, entries, 0, events, vector));
            try {
                LayoutCheck.of(VerbsLibrary.CREATE_CQ.name(), handle)
                    .hasLong(VerbsLayout.CQ_CONTEXT, device)
                    .hasLong(VerbsLayout.CQ_CHANNEL, events)
                    .hasIntFrom(VerbsLayout.CQ_CQE, entries);
            } catch (RdmaException e) {
                VerbsLibrary.DESTROY_CQ.call(handle);
                throw e;
            }
            return new CompletionQueue(context, channel, handle);
        }, owners(context, channel));
    }

    private static NativeObject[] owners(RdmaContext context, @Nullable CompletionChannel channel) {
        return channel == null ? new NativeObject[] {context} : new NativeObject[] {context, channel};
    }

    /**
     * Takes results from the queue, as many as there are and have room. Allocates nothing.
     *
     * @param into is overwritten
     * @return how many
     * @throws RdmaException if the queue is broken
     */
    public int poll(Completions into) {
        final int count;
        enter();
        try {
            count = path.poll(handle(), into.capacity(), into.address());
        } finally {
            leave();
        }
        if (count < 0) {
            throw broken(count);
        }
        into.filled(count);
        return count;
    }

    private static RdmaException broken(int count) {
        return new RdmaException("ibv_poll_cq", -count);
    }

    /**
     * Asks for one event when the next result arrives. An earlier result causes no event: poll after arming.
     *
     * @param isSolicitedOnly whether only solicited receives and failures count
     * @throws RdmaException if the device refuses
     */
    public void arm(boolean isSolicitedOnly) {
        final int error;
        enter();
        try {
            error = path.arm(handle(), isSolicitedOnly ? 1 : 0);
        } finally {
            leave();
        }
        if (error != 0) {
            throw new RdmaException("ibv_req_notify_cq", Math.abs(error));
        }
    }

    /**
     * Takes results from the queue, and sleeps while there is none: polls, arms, polls again, waits for the event. The
     * thread waits inside of a native call; a virtual thread keeps its carrier.
     *
     * @param into is overwritten
     * @param timeoutNs 0 looks once
     * @return how many; 0 when the time is over
     * @throws IllegalStateException if the queue has no channel, or the channel serves several queues; if the queue is
     *     or becomes closed
     * @throws RdmaException if the queue is broken
     */
    public int await(Completions into, long timeoutNs) {
        int count = poll(into);
        if (count != 0 || timeoutNs <= 0) {
            return count;
        }
        final CompletionChannel events = channel;
        if (events == null || events.queueCount() != 1) {
            throw new IllegalStateException("waiting needs a channel of this queue alone");
        }
        final EventWait wait = new EventWait(timeoutNs);
        do {
            arm(false);
            count = poll(into);
            if (count != 0) {
                return count;                                   // an event makes a later wait look once more
            }
        } while (events.await(wait) != null);
        return poll(into);
    }

    /**
     * Gives the queue room for another number of results.
     *
     * @param entries completions that have room at least
     * @throws RdmaException if the device cannot do that, or not with so many results in the queue
     */
    public void resize(int entries) {
        enter();
        try {
            VerbsLibrary.RESIZE_CQ.zero(VerbsLibrary.RESIZE_CQ.call(handle(), entries));
        } finally {
            leave();
        }
    }

    /** {@return how many results have room; the device may give more than was asked for} */
    public int entryCount() {
        enter();
        try {
            return NativeMemory.getInt(handle() + VerbsLayout.CQ_CQE);
        } finally {
            leave();
        }
    }

    /** {@return the device of this queue} */
    public RdmaContext context() {
        return context;
    }

    @Override
    protected void free() {
        if (channel != null) {
            channel.count(-1);
        }
        try {
            VerbsLibrary.DESTROY_CQ.zero(VerbsLibrary.DESTROY_CQ.call(handle()));
        } finally {
            device().remove(handle());
        }
    }
}
