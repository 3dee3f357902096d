package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeMemory;
import io.teff.rdma.verbs.call.DomainObject;
import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import io.teff.rdma.verbs.call.VerbsObject;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/**
 * Registered memory: the device may read the memory, and has the rights of the region.
 *
 * <p>A peer that knows the address and the {@linkplain #remoteKey remote key} can use the rights for peers, so keys are
 * secrets. Closing the region ends them: later accesses fail at the peer, with {@link
 * io.teff.rdma.verbs.queue.CompletionStatus#REM_ACCESS_ERR}. The order of the accesses of the device to memory is not
 * that of Java's memory model: after a completion, all writes of its request are visible. Thread-safe.
 */
public final class MemoryRegion extends VerbsObject {
    private final MemorySegment memory;
    private final long address;
    private final int localKey;
    private final int remoteKey;

    private MemoryRegion(DomainObject domain, long handle, MemorySegment memory) {
        super("memory region", Handles.device(domain), handle, domain);
        this.memory = memory;
        address = memory.address();
        localKey = NativeMemory.getInt(handle + VerbsLayout.MR_LKEY);
        remoteKey = NativeMemory.getInt(handle + VerbsLayout.MR_RKEY);
    }

    static MemoryRegion register(DomainObject domain, MemorySegment memory, Access... rights) {
        final int mask = Access.maskOf(rights);
        if (!memory.isNative()) {
            throw new IllegalArgumentException("memory of the Java heap moves and cannot be registered");
        }
        if (memory.isReadOnly()
            && (mask & Access.maskOf(Access.LOCAL_WRITE, Access.REMOTE_WRITE, Access.REMOTE_ATOMIC)) != 0) {
            throw new IllegalArgumentException("rights to write read-only memory");
        }
        return create(() -> {
            final long handle = call(domain, memory, mask);
            try {
                LayoutCheck.of(VerbsLibrary.REG_MR.name(), handle)
                    .hasLong(VerbsLayout.MR_CONTEXT, Handles.device(domain).context())
                    .hasLong(VerbsLayout.MR_PD, Handles.of(domain))
                    .hasLong(VerbsLayout.MR_ADDR, memory.address())
                    .hasLong(VerbsLayout.MR_LENGTH, memory.byteSize());
            } catch (RdmaException e) {
                VerbsLibrary.DEREG_MR.call(handle);
                throw e;
            }
            return new MemoryRegion(domain, handle, memory);
        }, domain);
    }

    private static long call(DomainObject domain, MemorySegment memory, int mask) {
        if (mask < Access.OPTIONAL) {
            return VerbsLibrary.REG_MR.pointer(VerbsLibrary.REG_MR.call(Handles.of(domain), memory.address(),
                memory.byteSize(), mask));
        }
        final long base = (mask & Access.ZERO_BASED.mask()) == 0 ? memory.address() : 0;
        return VerbsLibrary.REG_MR_IOVA2.pointer(VerbsLibrary.REG_MR_IOVA2.call(Handles.of(domain), memory.address(),
            memory.byteSize(), base, mask));
    }

    /** {@return the memory that was registered} It stays usable when the region is closed. */
    public MemorySegment memory() {
        return memory;
    }

    /** {@return the address of the first byte, for peers} */
    public long address() {
        return address;
    }

    /** {@return the length in bytes} */
    public long byteSize() {
        return memory.byteSize();
    }

    /** {@return the key that requests of this process name} */
    public int localKey() {
        return localKey;
    }

    /** {@return the key that requests of peers name} */
    public int remoteKey() {
        return remoteKey;
    }

    /**
     * Checks a part of the memory and returns the address of the part.
     *
     * @param offset of the first byte, from the beginning of the region
     * @param length in bytes
     * @return the address, for requests
     * @throws IndexOutOfBoundsException if the part is not within the region
     * @throws IllegalStateException if the region, or the arena of its memory, is closed
     */
    public long part(long offset, long length) {
        requireOpen();
        Objects.checkFromIndexSize(offset, length, memory.byteSize());
        if (!memory.scope().isAlive()) {
            throw new IllegalStateException("the arena of a registered segment is closed");
        }
        return address + offset;
    }

    @Override
    protected void free() {
        VerbsLibrary.DEREG_MR.zero(VerbsLibrary.DEREG_MR.call(handle()));
    }
}
