package io.teff.test.rdma.guest;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.RdmaException;
import io.teff.rdma.verbs.connect.ConnectionEvent;
import io.teff.rdma.verbs.connect.ConnectionEventType;
import io.teff.rdma.verbs.connect.ConnectionId;
import io.teff.rdma.verbs.connect.ConnectionManager;
import io.teff.rdma.verbs.connect.ConnectionSettings;
import io.teff.rdma.verbs.device.Access;
import io.teff.rdma.verbs.device.MemoryRegion;
import io.teff.rdma.verbs.device.ProtectionDomain;
import io.teff.rdma.verbs.device.Verbs;
import io.teff.rdma.verbs.queue.CompletionChannel;
import io.teff.rdma.verbs.queue.CompletionOperation;
import io.teff.rdma.verbs.queue.CompletionQueue;
import io.teff.rdma.verbs.queue.Completions;
import io.teff.rdma.verbs.queue.QueuePair;
import io.teff.rdma.verbs.queue.QueuePairSettings;
import io.teff.rdma.verbs.queue.QueuePairState;
import io.teff.rdma.verbs.queue.QueuePairType;
import io.teff.rdma.verbs.queue.ReceiveBatch;
import io.teff.rdma.verbs.queue.SendBatch;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections by the connection manager, both sides driven by one thread. */
final class ManagerInGuest {
    private static final QueuePairSettings SETTINGS = QueuePairSettings.of(QueuePairType.RC).withRequests(8, 8);
    private static final int TIMEOUT_MS = 5000;
    private static final int CONNECTS = 1000;

    private ConnectionManager active;
    private ConnectionManager passive;
    private ConnectionId listener;

    @BeforeEach
    void listen() {
        active = ConnectionManager.open();
        passive = ConnectionManager.open();
        listener = passive.listen(new InetSocketAddress(Guest.leftAddress(), 0), 16);
    }

    @AfterEach
    void close() {
        active.close();
        passive.close();
    }

    private static ConnectionEvent await(ConnectionManager manager, ConnectionEventType type) {
        ConnectionEvent event = manager.await(Guest.PATIENCE_NS);
        while (event != null && event.type() == ConnectionEventType.TIMEWAIT_EXIT) {
            event = manager.await(Guest.PATIENCE_NS);
        }
        assertNotNull(event, () -> "no event " + type);
        assertEquals(type, event.type(), event::toString);
        return event;
    }

    /** Objects of one side, which all connections of a device can share. */
    private static final class End implements AutoCloseable {
        private final ProtectionDomain domain;
        private final CompletionChannel channel;
        private final CompletionQueue queue;
        private final MemoryRegion region;
        private final Completions one = new Completions(1);

        private End(ConnectionId connection) {
            domain = connection.context().allocateDomain();
            channel = CompletionChannel.create(connection.context());
            queue = CompletionQueue.create(connection.context(), 64, channel);
            region = domain.allocate(4096, Access.LOCAL_WRITE, Access.REMOTE_READ, Access.REMOTE_WRITE);
        }

        private QueuePair pair(ConnectionId connection) {
            return connection.createQueuePair(domain, SETTINGS, queue, queue);
        }

        private void await(long workId, CompletionOperation operation) {
            assertEquals(1, queue.await(one, Guest.PATIENCE_NS), "no completion");
            assertNull(one.failure(0));
            assertEquals(workId, one.workId(0));
            assertEquals(operation, one.operation(0));
        }

        @Override
        public void close() {
            channel.close();
            domain.close();
        }
    }

    private ConnectionId resolved(InetSocketAddress target) {
        ConnectionId connection = active.connection();
        connection.resolveAddress(null, target, TIMEOUT_MS);
        assertSame(connection, await(active, ConnectionEventType.ADDR_RESOLVED).connection());
        connection.resolveRoute(TIMEOUT_MS);
        await(active, ConnectionEventType.ROUTE_RESOLVED);
        return connection;
    }

    private InetSocketAddress target() {
        return Objects.requireNonNull(listener.localAddress());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static void startsWith(String expected, ConnectionEvent event) {
        byte[] data = event.privateData();
        assertArrayEquals(bytes(expected), Arrays.copyOf(data, Math.min(data.length, expected.length())));
    }

    @Test
    void connect_withPrivateData_movesBytes_andDisconnects() {
        ConnectionId client = resolved(target());
        assertEquals(target(), client.remoteAddress());
        assertEquals(Guest.PORT, client.devicePort());
        End left = new End(client);
        QueuePair sender = left.pair(client);
        client.connect(ConnectionSettings.standard().withPrivateData(bytes("hello")));
        ConnectionEvent request = await(passive, ConnectionEventType.CONNECT_REQUEST);
        startsWith("hello", request);
        assertSame(listener, request.listener());
        assertEquals(sender.number(), request.queuePairNumber());
        ConnectionId server = Objects.requireNonNull(request.connection());
        End right = new End(server);
        QueuePair receiver = right.pair(server);
        receiver.post(new ReceiveBatch(1, 1).receive(1).add(right.region, 0, 100));
        server.accept(ConnectionSettings.standard().withPrivateData(bytes("welcome")));
        startsWith("welcome", await(active, ConnectionEventType.ESTABLISHED));
        await(passive, ConnectionEventType.ESTABLISHED);
        assertEquals(QueuePairState.RTS, sender.state());
        left.region.memory().setString(0, "by the manager");
        sender.post(new SendBatch(1, 1).send(2).add(left.region, 0, 15).signalled());
        right.await(1, CompletionOperation.RECEIVE);
        left.await(2, CompletionOperation.SEND);
        assertEquals("by the manager", right.region.memory().getString(0));
        sender.post(new SendBatch(1, 1).write(3, right.region.address() + 512, right.region.remoteKey())
            .add(left.region, 0, 15).signalled());
        left.await(3, CompletionOperation.RDMA_WRITE);
        assertEquals("by the manager", right.region.memory().getString(512));
        client.disconnect();
        await(passive, ConnectionEventType.DISCONNECTED);
        server.disconnect();
        await(active, ConnectionEventType.DISCONNECTED);
        assertEquals(QueuePairState.ERR, sender.state());
        left.close();
        right.close();
    }

    @Test
    void reject_bringsTheReason() {
        ConnectionId client = resolved(target());
        try (End left = new End(client)) {
            left.pair(client);
            client.connect(ConnectionSettings.standard());
            ConnectionId server = Objects.requireNonNull(
                await(passive, ConnectionEventType.CONNECT_REQUEST).connection());
            server.reject(bytes("not today"));
            server.close();
            startsWith("not today", await(active, ConnectionEventType.REJECTED));
        }
    }

    @Test
    void connect_withoutAListener_isRejected() {
        InetSocketAddress target = target();
        listener.close();
        ConnectionId client = resolved(target);
        try (End left = new End(client)) {
            left.pair(client);
            client.connect(ConnectionSettings.standard());
            assertTrue(await(active, ConnectionEventType.REJECTED).status() != 0);
        }
    }

    @Test
    void close_ofOneSide_disconnectsTheOther() {
        ConnectionId client = resolved(target());
        End left = new End(client);
        left.pair(client);
        client.connect(ConnectionSettings.standard());
        ConnectionId server = Objects.requireNonNull(await(passive, ConnectionEventType.CONNECT_REQUEST).connection());
        End right = new End(server);
        right.pair(server);
        server.accept(ConnectionSettings.standard());
        await(active, ConnectionEventType.ESTABLISHED);
        await(passive, ConnectionEventType.ESTABLISHED);
        client.close();
        assertSame(server, await(passive, ConnectionEventType.DISCONNECTED).connection());
        right.close();
        left.close();
    }

    @Test
    void calls_outOfOrder_areErrorsWithNames() {
        ConnectionId connection = active.connection();
        assertThrows(IllegalStateException.class, connection::context);
        // The library would use a null pointer.
        assertThrows(IllegalStateException.class, () -> connection.resolveRoute(100));
        assertThrows(IllegalStateException.class, () -> connection.connect(ConnectionSettings.standard()));
        assertThrows(IllegalStateException.class, () -> connection.accept(ConnectionSettings.standard()));
        assertThrows(IllegalStateException.class, () -> connection.reject(new byte[0]));
        assertThrows(IllegalStateException.class, connection::disconnect);
        ConnectionId bound = resolved(target());
        assertThrows(RdmaException.class, bound::disconnect);
        assertThrows(RdmaException.class, () -> bound.accept(ConnectionSettings.standard()));
        RdmaException inUse = assertThrows(RdmaException.class, () -> passive.listen(target(), 1));
        assertEquals("EADDRINUSE", inUse.errnoName());
        assertNull(active.await(Guest.MOMENT_NS));
        connection.close();
        assertThrows(IllegalStateException.class, connection::localAddress);
    }

    @Test
    void resolve_ofAnAddressThatIsNowhere_fails() {
        ConnectionId connection = active.connection();
        try {
            connection.resolveAddress(null, new InetSocketAddress("203.0.113.1", 5), 1000);
            ConnectionEvent event = await(active, ConnectionEventType.ADDR_ERROR);
            assertTrue(event.status() < 0, event::toString);
        } catch (RdmaException e) {
            assertEquals("ENETUNREACH", e.errnoName());         // without a route the kernel refuses at once
        }
    }

    private static long lockedKiB() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream().filter(line -> line.startsWith("VmPin:"))
            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", ""))).sum();
    }

    private static int descriptors() {
        return Objects.requireNonNull(new File("/proc/self/fd").list()).length;
    }

    /** A thousand times: connect, register memory, send, disconnect, close. Nothing is left of it. */
    @Test
    void connect_aThousandTimes_leavesNothing() throws IOException {
        connectOnce();
        int objects = Verbs.openObjects().size();
        int descriptors = descriptors();
        long locked = lockedKiB();
        for (int i = 0; i < CONNECTS; i++) {
            connectOnce();
        }
        assertEquals(objects, Verbs.openObjects().size(), () -> Verbs.openObjects().getLast());
        assertEquals(descriptors, descriptors());
        assertEquals(locked, lockedKiB());
    }

    private void connectOnce() {
        ConnectionId client = resolved(target());
        End left = new End(client);
        QueuePair sender = left.pair(client);
        client.connect(ConnectionSettings.standard());
        ConnectionId server = Objects.requireNonNull(await(passive, ConnectionEventType.CONNECT_REQUEST).connection());
        End right = new End(server);
        QueuePair receiver = right.pair(server);
        receiver.post(new ReceiveBatch(1, 1).receive(1).add(right.region, 0, 100));
        server.accept(ConnectionSettings.standard());
        await(active, ConnectionEventType.ESTABLISHED);
        await(passive, ConnectionEventType.ESTABLISHED);
        sender.post(new SendBatch(1, 1).send(2).add(left.region, 0, 8).signalled());
        right.await(1, CompletionOperation.RECEIVE);
        left.await(2, CompletionOperation.SEND);
        client.disconnect();
        await(passive, ConnectionEventType.DISCONNECTED);
        server.disconnect();
        await(active, ConnectionEventType.DISCONNECTED);
        client.close();
        server.close();
        left.close();
        right.close();
    }
}
