package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.ffi.NativeObject;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The address of peers of datagrams, in the form that the device uses. Thread-safe. */
public final class AddressHandle extends NativeObject {
    private final ProtectionDomain domain;
    private final long handle;

    private AddressHandle(ProtectionDomain domain, long handle) {
        super("address handle", domain);
        this.domain = domain;
        this.handle = handle;
    }

    public static AddressHandle create(ProtectionDomain domain, PathAddress path) {
        return create(() -> {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment struct = arena.allocate(VerbsLayout.AH_ATTR_SIZE, Long.BYTES);
                path.write(struct, 0);
                final long handle = VerbsLibrary.CREATE_AH.pointer(
                    VerbsLibrary.CREATE_AH.call(domain.handle(), struct.address()));
                try {
                    LayoutCheck.of(VerbsLibrary.CREATE_AH.name(), handle)
                        .hasLong(VerbsLayout.AH_CONTEXT, domain.context().handle())
                        .hasLong(VerbsLayout.AH_PD, domain.handle());
                } catch (RdmaException e) {
                    VerbsLibrary.DESTROY_AH.call(handle);
                    throw e;
                }
                return new AddressHandle(domain, handle);
            }
        }, domain);
    }

    public ProtectionDomain domain() {
        return domain;
    }

    public long handle() {
        return handle;
    }

    @Override
    protected void free() {
        domain.handleLock().lock();
        try {
            VerbsLibrary.DESTROY_AH.zero(VerbsLibrary.DESTROY_AH.call(handle));
        } finally {
            domain.handleLock().unlock();
        }
    }
}
