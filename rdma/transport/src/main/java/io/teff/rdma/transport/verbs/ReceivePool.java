package io.teff.rdma.transport.verbs;

import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.queue.ReceiveBatch;
import io.teff.rdma.verbs.queue.SharedReceiveQueue;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A receive queue that links share, with the memory of its receives. Used by the agent's thread only.
 *
 * <p>Memory of a receive that a device has lost is used again only with a new queue: it is freed with the queue, when
 * all queue pairs that could write to it are destroyed.
 *
 * <p>The number of a receive's work request is negative; its complement has the number of the pool above the index of
 * the buffer.
 */
final class ReceivePool {
    /** Receives of a pool. */
    static final int RECEIVES = 512;

    private static final int BATCH = 64;
    private static final int BUFFER_BITS = 16;
    private static final long SPENT_NS = TimeUnit.SECONDS.toNanos(1);

    private final long number;
    private final SharedReceiveQueue queue;
    private final MemoryRegion region;
    private final ReceiveBatch again = new ReceiveBatch(BATCH, 1);
    private final Wear wear = new Wear(RECEIVES);
    private final Set<VerbsLink> links = new LinkedHashSet<>();
    /** Whether the queue may be empty, and since when no receive has completed. */
    private boolean isSuspected;
    private long suspectedNs;

    ReceivePool(ProtectionDomain domain, long number) {
        this.number = number;
        queue = SharedReceiveQueue.create(domain, RECEIVES, 1);
        region = allocate(domain, queue);
        for (int i = 0; i < RECEIVES; i++) {
            receive(i);
        }
        post();
    }

    private static MemoryRegion allocate(ProtectionDomain domain, SharedReceiveQueue queue) {
        try {
            return domain.allocate((long) RECEIVES * Piece.SIZE, Access.LOCAL_WRITE);
        } catch (RuntimeException | Error e) {
            queue.close();                                      // the process may lock no more memory
            throw e;
        }
    }

    SharedReceiveQueue queue() {
        return queue;
    }

    MemorySegment memory() {
        return region.memory();
    }

    /** Returns whether a work request is of this pool. */
    boolean has(long workId) {
        return ~workId >>> BUFFER_BITS == number;
    }

    static int buffer(long workId) {
        return (int) (~workId & (1 << BUFFER_BITS) - 1);
    }

    // ---- links ----

    void add(VerbsLink link) {
        links.add(link);
    }

    /** Removes a link whose queue pair is destroyed. */
    void remove(VerbsLink link) {
        if (links.remove(link) && link.mayHoldReceive()) {
            wear.ended();
        }
    }

    /** Returns the links whose queue pairs use the queue. */
    List<VerbsLink> links() {
        return List.copyOf(links);
    }

    boolean isUnused() {
        return links.isEmpty();
    }

    boolean isWorn() {
        return wear.isWorn(links.size());
    }

    /**
     * Returns whether so many receives may be lost that links are to leave: none has completed for a while, which a
     * queue that has enough would show, unless its links rest.
     *
     * @param nowNs now, if it is asked for
     */
    boolean isSpent(LongSupplier nowNs) {
        if (!wear.isSpent(links.size())) {
            isSuspected = false;
            return false;
        }
        if (!isSuspected) {
            isSuspected = true;
            suspectedNs = nowNs.getAsLong();
        }
        return nowNs.getAsLong() - suspectedNs >= SPENT_NS;
    }

    /** Waits as long again until the queue counts as spent. */
    void suspectAgain() {
        isSuspected = false;
    }

    // ---- receives ----

    void completed(int buffer) {
        wear.completed(buffer);
        isSuspected = false;
    }

    /** Puts a receive into the queue, with the next {@link #post} at the latest. */
    void receive(int buffer) {
        if (again.count() == BATCH) {
            post();
        }
        again.receive(~(number << BUFFER_BITS | buffer)).add(region, (long) buffer * Piece.SIZE, Piece.SIZE);
        wear.posted(buffer);
    }

    void post() {
        if (again.count() > 0) {
            final int left = again.count() - queue.post(again);
            assert left == 0 : left;
        }
    }

    /** Frees the queue and its memory. All its queue pairs are destroyed. */
    void close() {
        queue.close();
        region.close();
    }
}
