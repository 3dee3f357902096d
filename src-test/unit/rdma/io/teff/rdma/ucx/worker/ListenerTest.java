package io.teff.rdma.ucx.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.rdma.ucx.UcxException;
import io.teff.rdma.ucx.UcxStatus;
import io.teff.rdma.ucx.UcxThreadMode;
import io.teff.rdma.ucx.message.UcxRequest;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Goal: connections by socket address are accepted, refused and missed with a clear outcome on both sides. */
final class ListenerTest {
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static UcxContext open() {
        UcxPair.assumeUcx();
        return UcxContext.open(UcxPair.config(UcxPair.TCP).build());
    }

    private static UcxConnectionRequest next(UcxListener listener, UcxWorker... workers) {
        AtomicReference<UcxConnectionRequest> found = new AtomicReference<>();
        UcxPair.until(() -> {
            found.compareAndSet(null, listener.poll());
            return found.get() != null;
        }, workers);
        return found.get();
    }

    @Test
    void accept_request_connectsBothSides() {
        try (UcxContext context = open()) {
            UcxWorker server = context.worker(UcxThreadMode.SINGLE);
            UcxWorker client = context.worker(UcxThreadMode.SINGLE);
            UcxListener listener = server.listen(ANY_PORT);
            assertTrue(listener.address().getPort() > 0);
            assertNull(listener.poll());
            UcxEndpoint out = client.connect(listener.address(), UcxErrorMode.PEER);
            UcxConnectionRequest request = next(listener, server, client);
            assertEquals(InetAddress.getLoopbackAddress(), request.clientAddress().getAddress());
            UcxEndpoint in = server.accept(request, UcxErrorMode.PEER);
            assertThrows(IllegalStateException.class, request::reject);
            assertThrows(IllegalStateException.class, () -> server.accept(request, UcxErrorMode.PEER));
            MemorySegment memory = Arena.ofAuto().allocate(64);
            memory.setString(0, "hello");
            UcxRequest send = client.request();
            UcxRequest receive = server.request();
            in.streamReceive(memory, 32, 6, true, receive);
            out.streamSend(memory, 0, 6, send);
            UcxPair.until(() -> send.isDone() && receive.isDone(), server, client);
            assertEquals(UcxStatus.OK, send.status());
            assertEquals("hello", memory.getString(32));
            assertEquals(listener.address().getPort(), out.remoteAddress().getPort());
            assertNotNull(in.localAddress());
            out.close(UcxCloseMode.FORCE);
            UcxPair.until(() -> in.failure() != null, server, client);
            assertTrue(EnumSet.of(UcxStatus.CONNECTION_RESET, UcxStatus.ENDPOINT_TIMEOUT).contains(in.failure()),
                "failure " + in.failure());
        }
    }

    @Test
    void reject_request_failsTheClient() {
        try (UcxContext context = open()) {
            UcxWorker server = context.worker(UcxThreadMode.SINGLE);
            UcxWorker client = context.worker(UcxThreadMode.SINGLE);
            UcxListener listener = server.listen(ANY_PORT);
            UcxEndpoint out = client.connect(listener.address(), UcxErrorMode.PEER);
            next(listener, server, client).reject();
            UcxPair.until(() -> out.failure() != null, server, client);
            assertEquals(UcxStatus.REJECTED, out.failure());
            assertEquals(1, client.failureCount());
            assertEquals(0, server.failureCount());
            UcxRequest send = client.request();
            out.streamSend(Arena.ofAuto().allocate(8), 0, 8, send);
            assertTrue(send.isDone());
            assertEquals(UcxStatus.REJECTED, send.status());
        }
    }

    @Test
    void connect_noListener_failsWithAStatus() {
        try (UcxContext context = open()) {
            UcxWorker server = context.worker(UcxThreadMode.SINGLE);
            UcxWorker client = context.worker(UcxThreadMode.SINGLE);
            UcxListener listener = server.listen(ANY_PORT);
            InetSocketAddress address = listener.address();
            listener.close();
            assertThrows(IllegalStateException.class, listener::poll);
            UcxEndpoint out = client.connect(address, UcxErrorMode.PEER);
            UcxPair.until(() -> out.failure() != null, server, client);
            assertTrue(out.failure().isFailure(), "failure " + out.failure());
        }
    }

    @Test
    void close_withPendingRequests_rejectsThem() {
        try (UcxContext context = open()) {
            UcxWorker server = context.worker(UcxThreadMode.SINGLE);
            UcxWorker client = context.worker(UcxThreadMode.SINGLE);
            UcxListener listener = server.listen(ANY_PORT);
            UcxEndpoint first = client.connect(listener.address(), UcxErrorMode.PEER);
            UcxEndpoint second = client.connect(listener.address(), UcxErrorMode.PEER);
            UcxConnectionRequest polled = next(listener, server, client);
            next(listener, server, client);
            listener.close();
            assertThrows(IllegalStateException.class, polled::reject);
            UcxPair.until(() -> first.failure() != null && second.failure() != null, server, client);
        }
    }

    @Test
    void listen_portInUse_failsWithAStatus() {
        try (UcxContext context = open()) {
            UcxWorker server = context.worker(UcxThreadMode.SINGLE);
            UcxListener listener = server.listen(ANY_PORT);
            UcxException failure = assertThrows(UcxException.class, () -> server.listen(listener.address()));
            assertTrue(failure.status().isFailure(), failure.toString());
            InetSocketAddress unresolved = InetSocketAddress.createUnresolved("nowhere.invalid", 1);
            assertThrows(IllegalArgumentException.class, () -> server.listen(unresolved));
        }
    }
}
