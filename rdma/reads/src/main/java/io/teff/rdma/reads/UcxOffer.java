package io.teff.rdma.reads;

import io.teff.engine.offer.MemoryOffer;
import io.teff.rdma.ucx.memory.UcxMemory;
import io.teff.rdma.ucx.worker.UcxContext;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The memory of a store, registered with UCX. Over transports without hardware, a worker of the owner has to make
 * progress. Peers are trusted: with the key of UCX, peers can write, too. Thread-safe.
 */
public final class UcxOffer implements AutoCloseable {
    private final MemoryOffer offer;
    private final List<UcxMemory> memories;

    private UcxOffer(MemoryOffer offer, List<UcxMemory> memories) {
        this.offer = offer;
        this.memories = memories;
    }

    /**
     * Registers the memory of a store.
     *
     * @param offer open, and not closed before this object
     * @param context with the feature {@link io.teff.rdma.ucx.UcxFeature#REMOTE_MEMORY}
     * @return the registration, which the caller must close
     */
    public static UcxOffer register(MemoryOffer offer, UcxContext context) {
        final List<UcxMemory> memories = new ArrayList<>();
        boolean isDone = false;
        try {
            for (MemorySegment part : List.of(offer.chunks(), offer.stripes(), offer.epoch())) {
                memories.add(context.register(part));
            }
            isDone = true;
            return new UcxOffer(offer, List.copyOf(memories));
        } finally {
            if (!isDone) {
                memories.forEach(UcxMemory::close);
            }
        }
    }

    /** {@return the ticket for readers} */
    public MemoryTicket ticket() {
        return MemoryTicket.of(offer, memories.stream().map(UcxMemory::key).toList());
    }

    /** Ends the registration. Reads of peers must be over. */
    @Override
    public void close() {
        memories.forEach(UcxMemory::close);
    }
}
