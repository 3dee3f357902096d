package io.teff.rdma.reads;

import io.teff.engine.offer.MemoryOffer;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The memory of a store in this process. Each read happens when it is added, and a test says what happens between
 * reads: every interleaving with changes can be shown.
 */
final class LocalMemory implements PeerMemory {
    private final MemoryTicket ticket;
    private final List<MemorySegment> parts;
    private final MemorySegment buffer = Arena.ofAuto().allocate(BUFFER_BYTES, Long.BYTES);
    private final Queue<Runnable> before = new ArrayDeque<>();
    private @Nullable Runnable tear;
    private int reads;
    private int rounds;

    LocalMemory(MemoryOffer offer) {
        ticket = MemoryTicket.of(offer, List.of(new byte[0], new byte[0], new byte[0]));
        parts = List.of(offer.chunks(), offer.stripes(), offer.epoch());
    }

    /** Lets actions happen before the next reads, one before each. */
    void beforeReads(Runnable... actions) {
        before.addAll(List.of(actions));
    }

    /** Lets an action happen in the middle of the next copy of more than a word. */
    void inTheMiddle(Runnable action) {
        tear = action;
    }

    int reads() {
        return reads;
    }

    int rounds() {
        return rounds;
    }

    @Override
    public MemoryTicket ticket() {
        return ticket;
    }

    @Override
    public MemorySegment buffer() {
        return buffer;
    }

    @Override
    public void read(Part part, long offset, int length, long target) {
        final Runnable action = before.poll();
        if (action != null) {
            action.run();
        }
        final Runnable middle = length > Long.BYTES ? tear : null;
        final int first = middle == null ? length : length / 2;
        MemorySegment.copy(parts.get(part.ordinal()), offset, buffer, target, first);
        if (middle != null) {
            tear = null;
            middle.run();
            MemorySegment.copy(parts.get(part.ordinal()), offset + first, buffer, target + first, length - first);
        }
        reads++;
    }

    @Override
    public void fence() {
        // reads happen in their order
    }

    @Override
    public void await() {
        rounds++;
    }
}
