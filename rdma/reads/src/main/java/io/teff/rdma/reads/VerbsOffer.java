package io.teff.rdma.reads;

import io.teff.engine.offer.MemoryOffer;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a store, registered for reads by queue pairs of a protection domain. Peers can read the memory, and
 * nothing else. The registration commits and locks the whole memory: see {@link MemoryOffer}. Thread-safe.
 *
 * <p>The owner's queue pair needs {@link Access#REMOTE_READ}.
 */
public final class VerbsOffer implements AutoCloseable {
    /** Bytes of a key: address and remote key. */
    static final int KEY_BYTES = Long.BYTES + Integer.BYTES;

    private final MemoryOffer offer;
    private final List<MemoryRegion> regions;

    private VerbsOffer(MemoryOffer offer, List<MemoryRegion> regions) {
        this.offer = offer;
        this.regions = regions;
    }

    /**
     * Registers the memory of a store.
     *
     * @param offer open, and not closed before this object
     * @param domain of the queue pairs that readers connect to
     * @return the registration, which the caller must close
     * @throws io.teff.rdma.RdmaException if the device refuses, for instance because of the limit of locked memory
     */
    public static VerbsOffer register(MemoryOffer offer, ProtectionDomain domain) {
        final List<MemoryRegion> regions = new ArrayList<>();
        boolean isDone = false;
        try {
            for (MemorySegment part : List.of(offer.chunks(), offer.stripes(), offer.epoch())) {
                // With the right to write here: else the kernel may lock the shared page of zeros.
                regions.add(domain.register(part, Access.LOCAL_WRITE, Access.REMOTE_READ));
            }
            isDone = true;
            return new VerbsOffer(offer, List.copyOf(regions));
        } finally {
            if (!isDone) {
                regions.forEach(MemoryRegion::close);
            }
        }
    }

    /** {@return the ticket for readers} */
    public MemoryTicket ticket() {
        final List<byte[]> keys = new ArrayList<>();
        for (MemoryRegion region : regions) {
            keys.add(ByteBuffer.allocate(KEY_BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(region.address())
                .putInt(region.remoteKey()).array());
        }
        return MemoryTicket.of(offer, keys);
    }

    /** Ends the registration: reads of peers fail from now on. */
    @Override
    public void close() {
        regions.forEach(MemoryRegion::close);
    }
}
