package io.teff.rdma.verbs.queue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.call.DataPath;
import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import io.teff.rdma.verbs.call.VerbsObject;
import io.teff.rdma.verbs.device.ProtectionDomain;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** A queue of receives that several queue pairs take from. Thread-safe; a batch belongs to one thread at a time. */
public final class SharedReceiveQueue extends VerbsObject {
    /** The attribute of ibv_modify_srq that is changed here. */
    private static final int LIMIT_MASK = 2;

    private final DataPath path;
    private final int requests;
    private final int segments;

    private SharedReceiveQueue(ProtectionDomain domain, long handle, int requests, int segments) {
        super("shared receive queue", Handles.device(domain), handle, domain);
        this.requests = requests;
        this.segments = segments;
        path = device().path();
        device().add(this);
    }

    /**
     * Makes a queue of receives for several queue pairs.
     *
     * @param domain of the queue pairs
     * @param requests receives that have room at least
     * @param segments of each receive
     * @return the queue
     * @throws RdmaException if the device cannot have such a queue
     */
    public static SharedReceiveQueue create(ProtectionDomain domain, int requests, int segments) {
        return create(() -> {
            try (Arena arena = Arena.ofConfined()) {
                final long attributes = VerbsLayout.SRQ_INIT_ATTR;
                final MemorySegment struct = arena.allocate(VerbsLayout.SRQ_INIT_SIZE, Long.BYTES);
                struct.set(ValueLayout.JAVA_INT, attributes + VerbsLayout.SRQ_MAX_WR, requests);
                struct.set(ValueLayout.JAVA_INT, attributes + VerbsLayout.SRQ_MAX_SGE, segments);
                final long handle = VerbsLibrary.CREATE_SRQ.pointer(
                    VerbsLibrary.CREATE_SRQ.call(Handles.of(domain), struct.address()));
                try {
                    LayoutCheck.of(VerbsLibrary.CREATE_SRQ.name(), handle)
                        .hasLong(VerbsLayout.SRQ_CONTEXT, Handles.device(domain).context())
                        .hasLong(VerbsLayout.SRQ_PD, Handles.of(domain));
                } catch (RdmaException e) {
                    VerbsLibrary.DESTROY_SRQ.call(handle);
                    throw e;
                }
                return new SharedReceiveQueue(domain, handle,
                    struct.get(ValueLayout.JAVA_INT, attributes + VerbsLayout.SRQ_MAX_WR),
                    struct.get(ValueLayout.JAVA_INT, attributes + VerbsLayout.SRQ_MAX_SGE));
            }
        }, domain);
    }

    /** {@return how many receives have room, which may be more than was asked for} */
    public int requests() {
        return requests;
    }

    /** {@return how many segments a receive may have} */
    public int segments() {
        return segments;
    }

    /**
     * Posts the receives of a batch, in order, and removes them from the batch. Allocates nothing.
     *
     * @param batch belongs to the calling thread during the call
     * @return how many; fewer than there were if the queue is full: the rest stays in the batch
     * @throws IllegalArgumentException if a receive has more segments than this queue allows
     * @throws IllegalStateException if this queue is closed
     * @throws RdmaException if the device refuses a receive; the receives before were posted, and the batch is empty
     */
    public int post(ReceiveBatch batch) {
        if (batch.count() == 0) {
            return 0;
        }
        if (batch.segmentsUsed() > segments) {
            throw new IllegalArgumentException("segments=" + batch.segmentsUsed() + " of " + segments);
        }
        final int error;
        enter();
        try {
            error = path.postSharedReceive(handle(), batch.chain(), batch.bad());
        } finally {
            leave();
        }
        return batch.posted(error);
    }

    /**
     * Asks for one {@link io.teff.rdma.verbs.device.AsyncEventType#SRQ_LIMIT_REACHED} when fewer receives than this are
     * left.
     *
     * @param limit 0 for no event
     * @throws RdmaException if the device refuses
     */
    public void setLimit(int limit) {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment struct = arena.allocate(VerbsLayout.SRQ_ATTR_SIZE, Long.BYTES);
            struct.set(ValueLayout.JAVA_INT, VerbsLayout.SRQ_LIMIT, limit);
            enter();
            try {
                VerbsLibrary.MODIFY_SRQ.zero(VerbsLibrary.MODIFY_SRQ.call(handle(), struct.address(), LIMIT_MASK));
            } finally {
                leave();
            }
        }
    }

    /**
     * Asks the device for the limit.
     *
     * @return 0 without a limit, and after the event of the limit
     * @throws RdmaException if the device does not answer
     */
    public int limit() {
        try (Arena arena = Arena.ofConfined()) {
            final MemorySegment struct = arena.allocate(VerbsLayout.SRQ_ATTR_SIZE, Long.BYTES);
            enter();
            try {
                VerbsLibrary.QUERY_SRQ.zero(VerbsLibrary.QUERY_SRQ.call(handle(), struct.address()));
            } finally {
                leave();
            }
            return struct.get(ValueLayout.JAVA_INT, VerbsLayout.SRQ_LIMIT);
        }
    }

    @Override
    protected void free() {
        try {
            VerbsLibrary.DESTROY_SRQ.zero(VerbsLibrary.DESTROY_SRQ.call(handle()));
        } finally {
            device().remove(handle());
        }
    }
}
