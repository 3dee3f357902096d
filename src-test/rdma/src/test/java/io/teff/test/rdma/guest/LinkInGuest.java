package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.rdma.verbs.connect.ConnectionEvent;
import io.teff.rdma.verbs.connect.ConnectionEventType;
import io.teff.rdma.verbs.connect.ConnectionId;
import io.teff.rdma.verbs.connect.ConnectionManager;
import io.teff.rdma.verbs.connect.ConnectionSettings;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.device.Verbs;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.test.net.LinkContract;
import io.teff.test.net.Told;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

/** The contract of links, over {@code verbs:}; and what is not asked of all transports. */
final class LinkInGuest extends LinkContract {
    /** Bytes that a link takes without an acknowledgement. */
    private static final int WINDOW = 16 * 8_192;

    @Override
    protected Transport open() {
        return transportOfVerbs();
    }

    /** A transport of the scheme {@code verbs}. */
    static Transport transportOfVerbs() {
        return ServiceLoader.load(TransportProvider.class).stream().map(ServiceLoader.Provider::get)
            .filter(it -> it.scheme().equals("verbs")).findFirst().orElseThrow().open(new TransportOptions(null));
    }

    @Override
    protected String listenAt() {
        return "verbs:" + Guest.leftAddress() + ":0";
    }

    @Override
    protected String nobody() {
        return "verbs:" + Guest.leftAddress() + ":1";
    }

    @Override
    protected int links() {
        return 50;
    }

    @Override
    protected long held() {
        return Verbs.openObjects().size();
    }

    /** A peer that does not poll: its shared receive queue is empty at some time, and no byte is lost. */
    @Test
    void write_peerStandsStill_waitsForIt() throws IOException {
        final Transport listening = transport();
        final String at = listen(listening);
        final Transport dialing = transport();
        final Told dialed = connected(dialing, at);
        final byte[] bytes = random(5);
        transports.remove(listening);
        final int[] taken = {dialed.link.write(MemorySegment.ofArray(bytes), 0, bytes.length)};
        assertEquals(WINDOW, taken[0]);
        for (int i = 0; i < 20_000 && taken[0] < bytes.length; i++) {
            taken[0] += dialed.link.write(MemorySegment.ofArray(bytes), taken[0], bytes.length - taken[0]);
            dialing.poll();
        }
        transports.add(listening);
        until(() -> accepted.getFirst().bytes.size() == taken[0] && dialed.writable > 0);
        assertArrayEquals(Arrays.copyOf(bytes, taken[0]), accepted.getFirst().bytes.toByteArray());
        assertEquals(0, dialed.closed);
    }

    /** A dialer that says something else when it connects is rejected, and never handed out. */
    @Test
    void foreigner_isRejected() throws IOException {
        final String at = listen(transport());
        final int port = Integer.parseInt(at.substring(at.lastIndexOf(':') + 1));
        try (ConnectionManager manager = ConnectionManager.open()) {
            final ConnectionId connection = manager.connection();
            final ProtectionDomain[] domain = new ProtectionDomain[1];
            final CompletionQueue[] queue = new CompletionQueue[1];
            final ConnectionEvent[] last = new ConnectionEvent[1];
            connection.resolveAddress(null, new InetSocketAddress(Guest.leftAddress(), port), 2_000);
            until(() -> {
                final ConnectionEvent event = manager.await(0);
                if (event != null) {
                    last[0] = event;
                    if (event.type() == ConnectionEventType.ADDR_RESOLVED) {
                        connection.resolveRoute(2_000);
                    } else if (event.type() == ConnectionEventType.ROUTE_RESOLVED) {
                        domain[0] = connection.context().allocateDomain();
                        queue[0] = CompletionQueue.create(connection.context(), 16);
                        connection.createQueuePair(domain[0], QueuePairSettings.of(QueuePairType.RC).withRequests(4, 4),
                            queue[0], queue[0]);
                        connection.connect(ConnectionSettings.standard().withPrivateData(new byte[] {1, 2, 3}));
                    }
                }
                return last[0] != null && last[0].type() == ConnectionEventType.REJECTED;
            });
            connection.close();
            queue[0].close();
            domain[0].close();
        }
        assertTrue(accepted.isEmpty());
    }
}
