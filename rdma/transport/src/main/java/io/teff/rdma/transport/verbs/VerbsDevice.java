package io.teff.rdma.transport.verbs;

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
 * The work of one agent with one device: a completion queue for everything, receive queues that links share, and the
 * pieces of sends. Used by the agent's thread only.
 *
 * <p>Links share one {@link ReceivePool}. If half of its receives may be lost, new links use a new pool; the old one is
 * freed when its last link has ended. If it comes to three quarters, or the limit of pools is reached, the links of the
 * pool, or of the oldest one, are ended, so that they are made anew with another pool. So no loss is for ever, and the
 * memory is bounded.
 *
 * <p>Work requests are numbered: receives have negative numbers, those of their {@link ReceivePool}; sends those of
 * their {@link Piece}.
 *
 * <p>The completion queue has room for all receives, and for all sends of all links, because one that overflows is
 * broken; it grows with the number of links.
 */
final class VerbsDevice {
    /** Pools of receives at a time. */
    static final int POOLS_MAX = 4;
    /** Messages of one link that the peer has not acknowledged. */
    static final int LINK_MAX = 16;

    private static final int BATCH = 64;
    /** Batches of completions before other links have a turn. */
    private static final int BATCHES_MAX = 8;
    private static final int SLAB = 64;
    private static final int FIRST_LINKS = 64;
    /** Sends of a queue pair, of which some may still be counted by the device though they are acknowledged. */
    private static final QueuePairSettings SETTINGS = QueuePairSettings.of(QueuePairType.RC)
        .withRequests(2 * LINK_MAX, 1);

    private final RdmaContext context;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue queue;
    /** The oldest first; new links use the last one. */
    private final List<ReceivePool> pools = new ArrayList<>(POOLS_MAX);
    private long poolsMade;
    private final Completions results = new Completions(BATCH);
    /** Results that were taken while the queue was armed, and not looked at. */
    private int waiting;
    private boolean isArmed;
    private final PairTable links = new PairTable();
    private int linksMax = FIRST_LINKS;
    private final List<Piece> pieces = new ArrayList<>();
    private final ArrayDeque<Piece> free = new ArrayDeque<>();

    VerbsDevice(RdmaContext context) {
        this.context = context;
        domain = context.allocateDomain();
        channel = CompletionChannel.create(context);
        queue = CompletionQueue.create(context, entries(FIRST_LINKS), channel);
        pools.add(new ReceivePool(domain, poolsMade++));
    }

    private static int entries(int linkCount) {
        return POOLS_MAX * ReceivePool.RECEIVES + 2 * LINK_MAX * linkCount;
    }

    RdmaContext context() {
        return context;
    }

    /** Returns the descriptor that can be read after {@link #arm} when there are results. */
    int descriptor() {
        return channel.descriptor();
    }

    /** Makes the queue pair of a link. */
    QueuePair add(VerbsLink link, ConnectionId connection) {
        if (links.size() == linksMax) {
            queue.resize(entries(2 * linksMax));
            linksMax *= 2;
        }
        final ReceivePool pool = pool();
        final QueuePair pair = connection.createQueuePair(domain, SETTINGS, queue, queue, pool.queue());
        links.put(pair.number(), link);
        pool.add(link);
        return pair;
    }

    /** Forgets a link whose queue pair is destroyed. */
    void remove(VerbsLink link, int pairNumber) {
        links.remove(pairNumber);
        pools.forEach(pool -> pool.remove(link));
        freePools();
    }

    // ---- pools ----

    /** Returns the pool for a new link. */
    private ReceivePool pool() {
        final ReceivePool last = pools.getLast();
        if (!last.isWorn()) {
            return last;
        }
        if (pools.size() == POOLS_MAX) {
            pools.getFirst().links().forEach(VerbsLink::failWithoutReceives);
            return last;
        }
        try {
            pools.add(new ReceivePool(domain, poolsMade));
            poolsMade++;
            freePools();
        } catch (RdmaException _) {
            return last;                                        // the device has no more; half of the receives are left
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
        return null;                                            // it was freed
    }

    /** Puts the receives that were handled into their queues again, and ends the links of queues that are too short. */
    private void postReceives() {
        for (int i = 0; i < pools.size(); i++) {
            final ReceivePool pool = pools.get(i);
            pool.post();
            if (pool.isSpent(System::nanoTime)) {
                if (pool().equals(pool)) {
                    pool.suspectAgain();                        // there is no other queue; looked for again later
                } else {
                    pool.links().forEach(VerbsLink::failWithoutReceives);
                }
            }
        }
    }

    // ---- pieces ----

    Piece take() {
        if (free.isEmpty()) {
            final MemoryRegion slab = domain.allocate((long) SLAB * Piece.SIZE);
            for (int i = 0; i < SLAB; i++) {
                final Piece piece = new Piece(slab, (long) i * Piece.SIZE, pieces.size());
                pieces.add(piece);
                free.add(piece);
            }
        }
        return free.removeLast();
    }

    void giveBack(Piece piece) {
        piece.end();
        free.addLast(piece);
    }

    int piecesInUse() {
        return pieces.size() - free.size();
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

    /** Takes events of the device, which queue pairs take note of; those of all agents are the same. */
    void pollEvents(int countMax) {
        int count = 0;
        try {
            while (count < countMax && context.awaitEvent(0) != null) {
                count++;
            }
        } catch (RdmaException _) {
            // the device is gone, and its links end by themselves
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
        final VerbsLink link = links.get(results.queuePairNumber(i));
        if (link != null) {
            if (results.isSuccess(i)) {
                link.received(pool.memory(), (long) buffer * Piece.SIZE, results.byteCount(i));
            } else {
                link.failReceive(results.status(i));
            }
        }
        pool.receive(buffer);
    }

    private void sent(int i, long workId) {
        final Piece piece = pieces.get(Piece.index(workId));
        final VerbsLink link = piece.user();
        if (link != null && piece.workId() == workId) {
            link.sent(piece, results.status(i));
        }
    }

    /** Prepares for a wait; returns whether there are results, so that there is none. */
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

    /** Closes everything but the device, which the connection manager keeps. All links are closed. */
    void close() {
        queue.close();
        channel.close();
        domain.close();
    }
}
