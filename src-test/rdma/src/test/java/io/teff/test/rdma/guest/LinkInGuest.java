package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.rdma.verbs.ConnectionEvent;
import io.teff.rdma.verbs.ConnectionEventType;
import io.teff.rdma.verbs.ConnectionId;
import io.teff.rdma.verbs.ConnectionManager;
import io.teff.rdma.verbs.ConnectionSettings;
import io.teff.rdma.verbs.CompletionQueue;
import io.teff.rdma.verbs.ProtectionDomain;
import io.teff.rdma.verbs.QueuePairSettings;
import io.teff.rdma.verbs.QueuePairType;
import io.teff.rdma.verbs.Verbs;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: links of {@code verbs:} carry every byte once and in order, end on both sides, and leave nothing behind.
 *
 * <p>Method: two transports polled by one thread.
 */
final class LinkInGuest {
    private static final int STREAM_BYTES = 2_000_000;
    private static final int WRITE_BYTES_MAX = 300_000;
    /** Bytes that a link takes without an acknowledgement. */
    private static final int WINDOW = 16 * 8_192;
    private static final int ROUNDS = 50;

    private final List<Transport> transports = new ArrayList<>();
    private final List<Told> dialed = new ArrayList<>();
    private final List<Told> accepted = new ArrayList<>();

    /** Records the events of a link. */
    private static final class Told implements LinkEvents {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private Link link;
        private int connected;
        private int writable;
        private int closed;
        private @Nullable IOException why;

        @Override
        public void connected() {
            connected++;
        }

        @Override
        public void bytes(MemorySegment memory, long from, int count) {
            bytes.writeBytes(memory.asSlice(from, count).toArray(ValueLayout.JAVA_BYTE));
        }

        @Override
        public void writable() {
            writable++;
        }

        @Override
        public void closed(@Nullable IOException reason) {
            closed++;
            why = reason;
        }

        @Override
        public String toString() {
            return "connected " + connected + ", " + bytes.size() + " bytes, closed " + closed + " " + why;
        }
    }

    @AfterEach
    void close() {
        transports.forEach(Transport::close);
    }

    private Transport transport() {
        final Transport transport = ServiceLoader.load(TransportProvider.class).stream()
            .map(ServiceLoader.Provider::get).filter(it -> it.scheme().equals("verbs")).findFirst().orElseThrow()
            .open(new TransportOptions(null));
        transports.add(transport);
        return transport;
    }

    private String listen(Transport transport) throws IOException {
        return transport.listen("verbs:" + Guest.leftAddress() + ":0", link -> {
            final Told told = new Told();
            told.link = link;
            accepted.add(told);
            return told;
        });
    }

    private Told dial(Transport from, String address) throws IOException {
        final Told told = new Told();
        dialed.add(told);
        told.link = from.connect(address, told);
        return told;
    }

    private void until(BooleanSupplier isSo) {
        final long begin = System.nanoTime();
        while (!isSo.getAsBoolean()) {
            assertTrue(System.nanoTime() - begin < Guest.PATIENCE_NS, this::state);
            int work = 0;
            for (Transport it : transports) {
                work += it.poll();
            }
            if (work == 0) {
                transports.getFirst().await(1_000_000);
            }
        }
    }

    /** Returns what the test waits for in vain. */
    private String state() {
        return "it did not come about; dialed " + dialed + ", accepted " + accepted;
    }

    private Told connected(Transport dialing, String at) throws IOException {
        accepted.clear();
        final Told dialed = dial(dialing, at);
        until(() -> dialed.connected == 1 && !accepted.isEmpty() && accepted.getFirst().connected == 1);
        return dialed;
    }

    private static byte[] random(long seed) {
        final byte[] bytes = new byte[STREAM_BYTES];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void bytes_inBothDirections_arriveInOrder() throws IOException {
        final String at = listen(transport());
        final Told dialed = connected(transport(), at);
        final Told other = accepted.getFirst();
        final byte[] there = random(1);
        final byte[] back = random(2);
        final SplittableRandom random = new SplittableRandom(3);
        final int[] sent = new int[2];
        until(() -> {
            sent[0] += write(dialed.link, there, sent[0], random);
            sent[1] += write(other.link, back, sent[1], random);
            return other.bytes.size() == STREAM_BYTES && dialed.bytes.size() == STREAM_BYTES;
        });
        assertArrayEquals(there, other.bytes.toByteArray());
        assertArrayEquals(back, dialed.bytes.toByteArray());
        assertTrue(dialed.writable + other.writable > 0, "no write was partial");
        assertEquals(0, dialed.closed + other.closed);
    }

    private static int write(Link link, byte[] bytes, int from, SplittableRandom random) {
        final int length = Math.min(1 + random.nextInt(WRITE_BYTES_MAX), bytes.length - from);
        return length == 0 ? 0 : link.write(MemorySegment.ofArray(bytes), from, length);
    }

    /** What was taken arrives, and nothing more is taken than the peer's device has acknowledged. */
    @Test
    void close_afterAWrite_peerHasAllBytesAndTheEnd() throws IOException {
        final String at = listen(transport());
        final Transport dialing = transport();
        for (boolean isDialer : new boolean[] {true, false}) {
            final Told dialed = connected(dialing, at);
            final Told from = isDialer ? dialed : accepted.getFirst();
            final Told to = isDialer ? accepted.getFirst() : dialed;
            final byte[] bytes = random(4);
            assertEquals(WINDOW, from.link.write(MemorySegment.ofArray(bytes), 0, bytes.length));
            from.link.close();
            assertEquals(0, from.link.write(MemorySegment.ofArray(bytes), 0, 1));
            until(() -> to.closed > 0);
            assertArrayEquals(Arrays.copyOf(bytes, WINDOW), to.bytes.toByteArray());
            assertNull(to.why);
            assertEquals(0, from.closed);
            assertEquals(1, to.closed);
        }
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
        final int[] taken = new int[1];
        for (int i = 0; i < 20_000 && taken[0] < bytes.length; i++) {
            taken[0] += dialed.link.write(MemorySegment.ofArray(bytes), taken[0], bytes.length - taken[0]);
            dialing.poll();
        }
        assertTrue(taken[0] >= WINDOW, "taken " + taken[0]);
        transports.add(listening);
        until(() -> accepted.getFirst().bytes.size() == taken[0]);
        assertArrayEquals(Arrays.copyOf(bytes, taken[0]), accepted.getFirst().bytes.toByteArray());
        assertEquals(0, dialed.closed);
    }

    @Test
    void connect_whereNobodyListens_isReported() throws IOException {
        final Told dialed = dial(transport(), "verbs:" + Guest.leftAddress() + ":1");
        until(() -> dialed.closed == 1);
        assertEquals(0, dialed.connected);
        assertNotNull(dialed.why);
    }

    @Test
    void manyLinks_openedAndClosed_leaveNothing() throws IOException {
        final String at = listen(transport());
        final Transport dialing = transport();
        openAndClose(dialing, at, true);
        openAndClose(dialing, at, false);
        final int objects = Verbs.openObjects().size();
        for (int i = 0; i < ROUNDS; i++) {
            openAndClose(dialing, at, i % 2 == 0);
        }
        until(() -> Verbs.openObjects().size() <= objects);
    }

    private void openAndClose(Transport dialing, String at, boolean isByDialer) throws IOException {
        final Told dialed = connected(dialing, at);
        final Told first = isByDialer ? dialed : accepted.getFirst();
        final Told second = isByDialer ? accepted.getFirst() : dialed;
        assertEquals(100, first.link.write(MemorySegment.ofArray(new byte[100]), 0, 100));
        first.link.close();
        until(() -> second.closed == 1);
        assertEquals(100, second.bytes.size());
    }

    @Test
    void wakeUp_endsTheWait() throws Exception {
        final Transport its = transport();
        listen(its);
        final CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> its.await(Long.MAX_VALUE));
        its.wakeUp();
        waiting.join();
        its.wakeUp();                                           // before the wait
        its.await(Long.MAX_VALUE);
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
                        queue[0] = connection.context().createCompletionQueue(16);
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
