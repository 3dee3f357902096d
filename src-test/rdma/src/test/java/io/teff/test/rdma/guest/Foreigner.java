package io.teff.test.rdma.guest;

import io.teff.rdma.verbs.connect.ConnectionEvent;
import io.teff.rdma.verbs.connect.ConnectionEventType;
import io.teff.rdma.verbs.connect.ConnectionId;
import io.teff.rdma.verbs.connect.ConnectionManager;
import io.teff.rdma.verbs.connect.ConnectionSettings;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.Completions;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.rdma.verbs.queue.SendBatch;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** A peer of the transport {@code verbs:} that uses a queue pair itself, and may say anything. */
final class Foreigner implements AutoCloseable {
    /** What dialers say. */
    static final byte[] HELLO = "TEFFVRB1".getBytes(StandardCharsets.US_ASCII);
    /** Bytes of the memory of messages. */
    static final int BYTES = 1 << 17;
    /** Objects of one that connects: manager, connection, queue pair, queue, two domains, a region of each. */
    static final int OBJECTS = 8;

    private static final int RESOLVE_MS = 2_000;

    final SendBatch batch = new SendBatch(1, 2);
    final Completions results = new Completions(1);
    /** The last event of the connection; null before the first. */
    ConnectionEventType last;
    MemoryRegion region;
    /** Memory that the queue pair may not use. */
    MemoryRegion alien;
    QueuePair pair;

    private final ConnectionManager manager = ConnectionManager.open();
    private ConnectionId connection;
    private ConnectionSettings settings;
    private ProtectionDomain domain;
    private ProtectionDomain other;
    private CompletionQueue queue;

    /** Begins to connect; {@link #poll} leads further. */
    void dial(String address, byte[] said) {
        hangUp();
        last = null;
        settings = ConnectionSettings.standard().withPrivateData(said);
        connection = manager.connection();
        final int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        connection.resolveAddress(null, new InetSocketAddress(Guest.leftAddress(), port), RESOLVE_MS);
    }

    /** Handles an event of the connection. */
    void poll() {
        final ConnectionEvent event = manager.await(0);
        if (event == null || connection == null || !connection.equals(event.connection())) {
            return;
        }
        last = event.type();
        if (last == ConnectionEventType.ADDR_RESOLVED) {
            connection.resolveRoute(RESOLVE_MS);
        } else if (last == ConnectionEventType.ROUTE_RESOLVED) {
            prepare();
            pair = connection.createQueuePair(domain,
                QueuePairSettings.of(QueuePairType.RC).withRequests(4, 4).withSegments(2, 1), queue, queue);
            connection.connect(settings);
        }
    }

    private void prepare() {
        if (domain == null) {
            domain = connection.context().allocateDomain();
            other = connection.context().allocateDomain();
            queue = CompletionQueue.create(connection.context(), 16);
            region = domain.allocate(BYTES);
            alien = other.allocate(BYTES);
        }
    }

    boolean isConnected() {
        return last == ConnectionEventType.ESTABLISHED;
    }

    /** Posts the request of the batch. */
    void post() {
        if (pair.post(batch.signalled()) != 1) {
            throw new AssertionError("the queue is full");
        }
    }

    /** Returns whether a request has ended. */
    boolean isDone() {
        return queue.poll(results) > 0;
    }

    /** Tells the peer that the connection ends. */
    void disconnect() {
        connection.disconnect();
    }

    /** Ends the connection without a word of this side; the kernel says it. */
    void hangUp() {
        if (connection != null) {
            connection.close();
            connection = null;
            pair = null;
        }
        boolean isMore = queue != null;
        while (isMore) {
            isMore = isDone();                                  // of the ended queue pair
        }
    }

    @Override
    public void close() {
        hangUp();
        manager.close();
        if (domain != null) {
            queue.close();
            domain.close();
            other.close();
        }
    }
}
