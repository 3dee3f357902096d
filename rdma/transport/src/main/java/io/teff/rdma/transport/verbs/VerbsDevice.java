package io.teff.rdma.transport.verbs;

import io.teff.engine.os.Clock;
import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.connect.ConnectionId;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.device.RdmaContext;
import io.teff.rdma.verbs.queue.CompletionChannel;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.Completions;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The work of an agent with a device: a completion queue for everything, shared receive queues, and the buffers of
 * sends. Used by the agent's thread only.
 *
 * <p>All users of queue pairs share a {@link ReceivePool}. If half of the pool's receives may be lost, new users get a
 * new pool, and the old pool is freed after the end of the last user. If three quarters may be lost, the users of the
 * pool end. If the limit of pools is reached, the users of the oldest pool end. Ended links are dialed again, and get a
 * different pool. So no loss is for ever, and the memory is bounded.
 *
 * <p>The numbers of work requests: a receive has a negative number of the {@link ReceivePool}, a send the number of the
 * {@link RegisteredBuffer}.
 *
 * <p>The completion queue has room for all receives and for all sends of all users, because a queue that overflows is
 * broken. The queue grows with the number of users.
 */
final class VerbsDevice {
    /** Pools of receives at a time. */
    static final int POOLS_MAX = 4;
    /** Messages of a link without an acknowledgement of the peer. */
    static final int LINK_MAX = 16;

    private static final int BATCH = 64;
    /** Batches of completions before the agent serves further devices. */
    private static final int BATCHES_MAX = 8;
    private static final int SLAB = 64;
    private static final int FIRST_USERS = 64;
    /** With room for twice the sends: the device may still count sends after the acknowledgement. */
    private static final QueuePairSettings SETTINGS = QueuePairSettings.of(QueuePairType.RC)
        .withRequests(2 * LINK_MAX, 1);

    private final RdmaContext context;
    private final Clock clock;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    /** The oldest first; new users get the last pool. */
    private final List<ReceivePool> pools = new ArrayList<>(POOLS_MAX);
    private long poolsMade;
    private final Completions results = new Completions(BATCH);
    /** Results taken while the queue was armed, and not handled yet. */
    private int waiting;
    private boolean isArmed;
    private final PairTable users = new PairTable();
    private int usersMax = FIRST_USERS;
    private final List<RegisteredBuffer> buffers = new ArrayList<>();
    private final ArrayDeque<RegisteredBuffer> free = new ArrayDeque<>();

    VerbsDevice(RdmaContext context, Clock clock) {
        this.context = context;
        this.clock = clock;
        domain = context.allocateDomain();
        channel = CompletionChannel.create(context);
        queue = CompletionQueue.create(context, entries(FIRST_USERS), channel);
        pools.add(new ReceivePool(domain, poolsMade++));
    }

    private static int entries(int userCount) {
        return POOLS_MAX * ReceivePool.RECEIVES + 2 * LINK_MAX * userCount;
    }

    RdmaContext context() {
        return context;
    }

    /** Returns the descriptor: after {@link #arm} the descriptor can be read when there are results. */
    int descriptor() {
        return channel.descriptor();
    }

    /** Makes the queue pair of a user. */
    QueuePair add(PairUser user, ConnectionId connection) {
        if (users.size() == usersMax) {
            queue.resize(entries(2 * usersMax));
            usersMax *= 2;
        }
        final ReceivePool pool = pool();
        final QueuePair pair = connection.createQueuePair(domain, SETTINGS, queue, queue, pool.queue());
        users.put(pair.number(), user);
        pool.add(user);
        return pair;
    }

    /** Forgets a user whose queue pair is destroyed. */
    void remove(PairUser user, int pairNumber) {
        users.remove(pairNumber);
        pools.forEach(pool -> pool.remove(user));
        freePools();
    }

    // ---- pools ----

    /** Returns the pool for a new user. */
    private ReceivePool pool() {
        final ReceivePool last = pools.getLast();
        if (!last.isWorn()) {
            return last;
        }
        if (pools.size() == POOLS_MAX) {
            pools.getFirst().users().forEach(PairUser::failWithoutReceives);
            return last;
        }
        try {
            pools.add(new ReceivePool(domain, poolsMade));
            poolsMade++;
            freePools();
        } catch (RdmaException _) {
            return last;                                        // the device has no room; half of the receives are left
        }
        return pools.getLast();
    }

    private void freePools() {
        for (int i = 0; i < pools.size() - 1; i++) {
            if (pools.get(i).isUnused()) {
                pools.remove(i--).close();
            }
        }
    }

    private @Nullable ReceivePool poolOf(long workId) {
        for (int i = pools.size() - 1; i >= 0; i--) {
            if (pools.get(i).has(workId)) {
                return pools.get(i);
            }
        }
        return null;                                            // the pool was freed
    }

    /** Puts handled receives into their queues again, and ends the users of a spent queue. */
    private void postReceives() {
        for (int i = 0; i < pools.size(); i++) {
            final ReceivePool pool = pools.get(i);
            pool.post();
            if (pool.isSpent(clock)) {
                if (pool().equals(pool)) {
                    pool.suspectAgain();                        // there is no further queue; later there may be
                } else {
                    pool.users().forEach(PairUser::failWithoutReceives);
                }
            }
        }
    }

    // ---- buffers ----

    RegisteredBuffer take() {
        if (free.isEmpty()) {
            final MemoryRegion slab = domain.allocate((long) SLAB * RegisteredBuffer.SIZE);
            for (int i = 0; i < SLAB; i++) {
                final RegisteredBuffer buffer = new RegisteredBuffer(slab, (long) i * RegisteredBuffer.SIZE,
                    buffers.size());
                buffers.add(buffer);
                free.add(buffer);
            }
        }
        return free.removeLast();
    }

    void giveBack(RegisteredBuffer buffer) {
        buffer.end();
        free.addLast(buffer);
    }

    // ---- the duty ----

    /** Handles results; returns their number. */
    int poll() {
        int work = 0;
        for (int i = 0; i < BATCHES_MAX; i++) {
            final int count = waiting > 0 ? waiting : queue.poll(results);
            waiting = 0;
            handle(count);
            work += count;
            if (count < BATCH) {
                break;
            }
        }
        return work;
    }

    /** Takes events of the device, so that queue pairs note their last receives. All agents see the same events. */
    void pollEvents(int countMax) {
        int count = 0;
        try {
            while (count < countMax && context.awaitEvent(0) != null) {
                count++;
            }
        } catch (RdmaException _) {
            // the device is gone, and the links end by themselves
        }
    }

    private void handle(int count) {
        for (int i = 0; i < count; i++) {
            final long workId = results.workId(i);
            if (workId < 0) {
                received(i, workId);
            } else {
                sent(i, workId);
            }
        }
        postReceives();
    }

    private void received(int i, long workId) {
        final ReceivePool pool = poolOf(workId);
        if (pool == null) {
            return;
        }
        final int buffer = ReceivePool.buffer(workId);
        pool.completed(buffer);
        final PairUser user = users.get(results.queuePairNumber(i));
        if (user != null) {
            if (results.isSuccess(i)) {
                user.received(pool.memory(), (long) buffer * RegisteredBuffer.SIZE, results.byteCount(i));
            } else {
                user.failReceive(results.status(i));
            }
        }
        pool.receive(buffer);
    }

    private void sent(int i, long workId) {
        final RegisteredBuffer buffer = buffers.get(RegisteredBuffer.index(workId));
        final PairUser user = buffer.user();
        if (user != null && buffer.workId() == workId) {
            user.sent(buffer, results.status(i));
        }
    }

    /** Prepares a wait; returns whether there are results, so that the caller must not wait. */
    boolean arm() {
        isArmed = true;
        queue.arm(false);
        waiting = queue.poll(results);
        return waiting > 0;
    }

    /** Takes the event of a wait. */
    void disarm() {
        if (isArmed) {
            isArmed = false;
            channel.await(0);
        }
    }

    /** Closes everything except the context. The connection manager keeps the context. All links are closed. */
    void close() {
        queue.close();
        channel.close();
        domain.close();
    }
}
