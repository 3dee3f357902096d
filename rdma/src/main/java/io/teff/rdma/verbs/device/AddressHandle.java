package io.teff.rdma.verbs.device;

import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.call.AddressObject;
import io.teff.rdma.verbs.call.DomainObject;
import io.teff.rdma.verbs.call.Handles;
import io.teff.rdma.verbs.call.LayoutCheck;
import io.teff.rdma.verbs.call.VerbsLayout;
import io.teff.rdma.verbs.call.VerbsLibrary;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The address of peers of datagrams, in the form that the device uses. Thread-safe. */
public final class AddressHandle extends AddressObject {
    private AddressHandle(DomainObject domain, long handle) {
        super("address handle", domain, handle);
    }

    static AddressHandle create(DomainObject domain, PathAddress path) {
        return create(() -> {
            try (Arena arena = Arena.ofConfined()) {
                final MemorySegment struct = arena.allocate(VerbsLayout.AH_ATTR_SIZE, Long.BYTES);
                path.write(struct, 0);
                final long handle = VerbsLibrary.CREATE_AH.pointer(
                    VerbsLibrary.CREATE_AH.call(Handles.of(domain), struct.address()));
                try {
                    LayoutCheck.of(VerbsLibrary.CREATE_AH.name(), handle)
                        .hasLong(VerbsLayout.AH_CONTEXT, Handles.device(domain).context())
                        .hasLong(VerbsLayout.AH_PD, Handles.of(domain));
                } catch (RdmaException e) {
                    VerbsLibrary.DESTROY_AH.call(handle);
                    throw e;
                }
                return new AddressHandle(domain, handle);
            }
        }, domain);
    }

    @Override
    protected void free() {
        addressLock().lock();
        try {
            VerbsLibrary.DESTROY_AH.zero(VerbsLibrary.DESTROY_AH.call(handle()));
        } finally {
            addressLock().unlock();
        }
    }
}
