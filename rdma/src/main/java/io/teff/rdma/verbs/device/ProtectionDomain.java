package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.call.DomainObject;
import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The memory regions, queue pairs, shared receive queues and address handles that may be used together. Thread-safe.
 */
public final class ProtectionDomain extends DomainObject {
    private static final long PAGE_BYTES = 4096;

    private final RdmaContext context;

    private ProtectionDomain(RdmaContext context, long handle) {
        super("protection domain", Handles.device(context), handle, context);
        this.context = context;
    }

    static ProtectionDomain allocate(RdmaContext context) {
        return create(() -> {
            final long device = Handles.of(context);
            final long handle = VerbsLibrary.ALLOC_PD.pointer(VerbsLibrary.ALLOC_PD.call(device));
            try {
                LayoutCheck.of(VerbsLibrary.ALLOC_PD.name(), handle).hasLong(VerbsLayout.PD_CONTEXT, device);
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
     * Allocates memory of zeros, and registers it. The memory is freed some time after the region was closed, when
     * nothing refers to the memory.
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
     * Makes a handle for the address of peers of datagrams.
     *
     * @param path to the peers
     * @return the handle
     * @throws RdmaException if the address cannot be resolved
     */
    public AddressHandle createAddressHandle(PathAddress path) {
        return AddressHandle.create(this, path);
    }

    @Override
    protected void free() {
        VerbsLibrary.DEALLOC_PD.zero(VerbsLibrary.DEALLOC_PD.call(handle()));
    }
}
