package io.teff.rdma.transport.verbs;

import io.teff.rdma.verbs.Access;
import io.teff.rdma.verbs.CompletionChannel;
import io.teff.rdma.verbs.CompletionQueue;
import io.teff.rdma.verbs.Completions;
import io.teff.rdma.verbs.ConnectionId;
import io.teff.rdma.verbs.MemoryRegion;
import io.teff.rdma.verbs.ProtectionDomain;
import io.teff.rdma.verbs.QueuePair;
import io.teff.rdma.verbs.QueuePairSettings;
import io.teff.rdma.verbs.QueuePairType;
import io.teff.rdma.verbs.RdmaContext;
import io.teff.rdma.verbs.ReceiveBatch;
import io.teff.rdma.verbs.SharedReceiveQueue;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * The work of one agent with one device: a completion queue for everything, a receive queue that all links share, and
 * the pieces of sends. Used by the agent's thread only.
 *
 * <p>Work requests are numbered: receives have negative numbers, whose bits name the buffer; sends those of their
 * {@link Piece}.
 *
 * <p>The completion queue has room for all receives, and for all sends of all links, because one that overflows is
 * broken; it grows with the number of links.
 */
final class VerbsDevice {
    /** Buffers of the shared receive queue. */
    static final int RECEIVES = 512;
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
    private final SharedReceiveQueue receives;
    private final MemoryRegion received;
    private final ReceiveBatch again = new ReceiveBatch(BATCH, 1);
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
        channel = context.createChannel();
        queue = context.createCompletionQueue(entries(FIRST_LINKS), channel);
        receives = domain.createSharedReceiveQueue(RECEIVES, 1);
        received = domain.allocate((long) RECEIVES * Piece.SIZE, Access.LOCAL_WRITE);
        for (int i = 0; i < RECEIVES; i++) {
            receiveAgain(i);
        }
        postReceives();
    }

    private static int entries(int linkCount) {
        return RECEIVES + 2 * LINK_MAX * linkCount;
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
        final QueuePair pair = connection.createQueuePair(domain, SETTINGS, queue, queue, receives);
        links.put(pair.number(), link);
        return pair;
    }

    void remove(QueuePair pair) {
        links.remove(pair.number());
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

    private void handle(int count) {
        for (int i = 0; i < count; i++) {
            final long workId = results.workId(i);
            if (workId < 0) {
                received(i, (int) ~workId);
            } else {
                sent(i, workId);
            }
        }
        postReceives();
    }

    private void received(int i, int buffer) {
        final VerbsLink link = links.get(results.queuePairNumber(i));
        if (link != null) {
            if (results.isSuccess(i)) {
                link.received(received.memory(), (long) buffer * Piece.SIZE, results.byteCount(i));
            } else {
                link.fail(results.status(i));
            }
        }
        receiveAgain(buffer);
    }

    private void sent(int i, long workId) {
        final Piece piece = pieces.get(Piece.index(workId));
        final VerbsLink link = piece.user();
        if (link != null && piece.workId() == workId) {
            link.sent(piece, results.status(i));
        }
    }

    private void receiveAgain(int buffer) {
        if (again.count() == BATCH) {
            postReceives();
        }
        again.receive(~(long) buffer).add(received, (long) buffer * Piece.SIZE, Piece.SIZE);
    }

    private void postReceives() {
        if (again.count() > 0) {
            final int left = again.count() - receives.post(again);
            assert left == 0 : left;
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
