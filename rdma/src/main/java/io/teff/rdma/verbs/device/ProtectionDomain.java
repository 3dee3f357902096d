package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import io.teff.rdma.verbs.connect.ConnectionId;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.SharedReceiveQueue;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The memory regions, queue pairs, shared receive queues and address handles that may be used together. Thread-safe.
 */
public final class ProtectionDomain extends NativeObject {
    private static final long PAGE_BYTES = 4096;

    private final long handle;
    private final RdmaContext context;
    /** Held while datagrams are posted and while an address handle is freed: posting reads the handle's struct. */
    private final ReentrantLock handleLock = new ReentrantLock();

    private ProtectionDomain(RdmaContext context, long handle) {
        super("protection domain", context);
        this.context = context;
        this.handle = handle;
    }

    public static ProtectionDomain allocate(RdmaContext context) {
        return create(() -> {
            final long handle = VerbsLibrary.ALLOC_PD.pointer(VerbsLibrary.ALLOC_PD.call(context.handle()));
            try {
                LayoutCheck.of(VerbsLibrary.ALLOC_PD.name(), handle).hasLong(VerbsLayout.PD_CONTEXT, context.handle());
            } catch (RdmaException e) {
                VerbsLibrary.DEALLOC_PD.call(handle);
                throw e;
            }
            return new ProtectionDomain(context, handle);
        }, context);
    }

    /** {@return the device of this domain} */
    public RdmaContext context() {
        return context;
    }

    /**
     * Registers memory, so that the device can read and write it. Its pages stay in memory until the region is closed.
     *
     * @param memory native; its arena must stay open until the region was closed
     * @param rights local reads are always allowed
     * @return the region
     * @throws IllegalArgumentException for memory of the Java heap, and for rights to write read-only memory
     * @throws RdmaException if the limit of locked memory or of the device is reached (ENOMEM), and if the device
     *     cannot give the rights
     */
    public MemoryRegion register(MemorySegment memory, Access... rights) {
        return MemoryRegion.register(this, memory, rights);
    }

    /**
     * Allocates memory of zeros, and registers it. It is freed some time after the region was closed and nothing refers
     * to it any more.
     *
     * @param bytes at least 1; the memory begins with a page
     * @param rights local reads are always allowed
     * @return the region
     * @throws RdmaException like {@link #register}
     */
    public MemoryRegion allocate(long bytes, Access... rights) {
        return MemoryRegion.register(this, Arena.ofAuto().allocate(bytes, PAGE_BYTES), rights);
    }

    /**
     * Makes a queue pair, in the state RESET.
     *
     * @param settings its service and its sizes
     * @param sends the queue of completions of sends
     * @param receives the queue of completions of receives; may be that of sends
     * @return the queue pair
     * @throws RdmaException if the device cannot have such a queue pair
     */
    public QueuePair createQueuePair(QueuePairSettings settings, CompletionQueue sends, CompletionQueue receives) {
        return QueuePair.create(this, settings, sends, receives, null, null);
    }

    /**
     * Makes a queue pair, in the state RESET, whose receives come from a shared queue.
     *
     * @param settings its service and its sizes
     * @param sends the queue of completions of sends
     * @param receives the queue of completions of receives; may be that of sends
     * @param shared of this domain
     * @return the queue pair
     * @throws RdmaException if the device cannot have such a queue pair
     */
    public QueuePair createQueuePair(QueuePairSettings settings, CompletionQueue sends, CompletionQueue receives,
            SharedReceiveQueue shared) {
        return QueuePair.create(this, settings, sends, receives, shared, null);
    }

    /** Makes a queue pair for a connection of the manager. */
    public QueuePair createQueuePair(QueuePairSettings settings, CompletionQueue sends, CompletionQueue receives,
            @Nullable SharedReceiveQueue shared, ConnectionId connection) {
        return QueuePair.create(this, settings, sends, receives, shared, connection);
    }

    /**
     * Makes a queue of receives for several queue pairs.
     *
     * @param requests receives that have room at least
     * @param segments of each receive
     * @return the queue
     * @throws RdmaException if the device cannot have such a queue
     */
    public SharedReceiveQueue createSharedReceiveQueue(int requests, int segments) {
        return SharedReceiveQueue.create(this, requests, segments);
    }

    /**
     * Makes a handle for the address of peers of datagrams.
     *
     * @param path to the peers
     * @return the handle
     * @throws RdmaException if the address cannot be resolved
     */
    public AddressHandle createAddressHandle(PathAddress path) {
        return AddressHandle.create(this, path);
    }

    public long handle() {
        return handle;
    }

    public ReentrantLock handleLock() {
        return handleLock;
    }

    @Override
    protected void free() {
        VerbsLibrary.DEALLOC_PD.zero(VerbsLibrary.DEALLOC_PD.call(handle));
    }
}
