package io.teff.rdma.transport.verbs;

import io.teff.engine.os.Clock;
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

/**
 * A shared receive queue, with the memory of the receives. Used by the agent's thread only.
 *
 * <p>The memory of a lost receive is never used again: the memory is freed with the queue, after the end of all queue
 * pairs of the queue.
 *
 * <p>The number of a receive's work request is negative. The complement has the number of the pool above the index of
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
    private final Set<PairUser> users = new LinkedHashSet<>();
    /** Whether the queue may be empty. */
    private boolean isSuspected;
    /** Since when no receive of a suspected queue has completed. */
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
            return domain.allocate((long) RECEIVES * RegisteredBuffer.SIZE, Access.LOCAL_WRITE);
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

    /** Returns whether a work request belongs to this pool. */
    boolean has(long workId) {
        return ~workId >>> BUFFER_BITS == number;
    }

    static int buffer(long workId) {
        return (int) (~workId & (1 << BUFFER_BITS) - 1);
    }

    // ---- users ----

    void add(PairUser user) {
        users.add(user);
    }

    /** Removes a user whose queue pair is destroyed. */
    void remove(PairUser user) {
        if (users.remove(user) && user.mayHoldReceive()) {
            wear.ended();
        }
    }

    /** Returns the users of the queue. */
    List<PairUser> users() {
        return List.copyOf(users);
    }

    boolean isUnused() {
        return users.isEmpty();
    }

    boolean isWorn() {
        return wear.isWorn(users.size());
    }

    /**
     * Returns whether the queue may have lost so many receives that the users have to leave: no receive has completed
     * for a while. A queue with enough receives would show completions, unless the users rest.
     *
     * @param clock asked only if many receives may be lost
     */
    boolean isSpent(Clock clock) {
        if (!wear.isSpent(users.size())) {
            isSuspected = false;
            return false;
        }
        if (!isSuspected) {
            isSuspected = true;
            suspectedNs = clock.nowNs();
        }
        return clock.nowNs() - suspectedNs >= SPENT_NS;
    }

    /** Begins the wait until the queue counts as spent again. */
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
        again.receive(~(number << BUFFER_BITS | buffer)).add(region, (long) buffer * RegisteredBuffer.SIZE,
            RegisteredBuffer.SIZE);
        wear.posted(buffer);
    }

    void post() {
        if (again.count() > 0) {
            final int left = again.count() - queue.post(again);
            assert left == 0 : left;
        }
    }

    /** Frees the queue and the memory. All queue pairs of the queue are destroyed. */
    void close() {
        queue.close();
        region.close();
    }
}
