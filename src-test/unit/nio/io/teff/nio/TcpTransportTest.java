package io.teff.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.test.kit.Threads;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: with any callers, and any number of them, the agent keeps polling, and the end of each link is reported.
 *
 * <p>Method: a transport polled by the test's thread, and plain sockets.
 */
final class TcpTransportTest {
    private static final int CALLERS = 300;
    private static final int ACCEPTS_MAX = 64;
    private static final int ARENAS_MAX = 200;
    private static final int POLLS_MAX = 10_000;
    private static final long MILLISECOND_NS = 1_000_000;
    private static final Duration ENOUGH = Duration.ofSeconds(60);

    private final List<Socket> sockets = new ArrayList<>();
    private final List<Told> accepted = new ArrayList<>();
    private @Nullable TcpTransport transport;

    /** Records the events of a link. */
    private static final class Told implements LinkEvents {
        private Link link;
        private int connected;
        private int writable;
        private int closed;
        private @Nullable IOException why;

        Told(@Nullable Link link) {
            this.link = link;
        }

        @Override
        public void connected() {
            connected++;
        }

        @Override
        public void bytes(MemorySegment memory, long from, int count) {}

        @Override
        public void writable() {
            writable++;
        }

        @Override
        public void closed(@Nullable IOException reason) {
            closed++;
            why = reason;
        }
    }

    @AfterEach
    void close() throws IOException {
        for (Socket it : sockets) {
            it.close();
        }
        if (transport != null) {
            transport.close();
        }
    }

    private InetSocketAddress listen(TcpTransport its) throws IOException {
        transport = its;
        return TcpAddress.parse(its.listen("tcp:127.0.0.1:0", link -> {
            final Told told = new Told(link);
            accepted.add(told);
            return told;
        }));
    }

    private Socket call(InetSocketAddress at) throws IOException {
        final Socket socket = new Socket(at.getAddress(), at.getPort());
        sockets.add(socket);
        return socket;
    }

    private static void until(TcpTransport polled, BooleanSupplier isSo) {
        for (int polls = 0; !isSo.getAsBoolean(); polls++) {
            assertTrue(polls < POLLS_MAX, "it did not come about");
            polled.await(MILLISECOND_NS);
            polled.poll();
        }
    }

    private static long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.count();
        }
    }

    /** Sockets closed in a poll remain until the next one, so one poll must accept a limited number. */
    @Test
    void poll_manyCallAtOnce_acceptsSomeOfThem() throws IOException {
        final TcpTransport its = new TcpTransport(null);
        final InetSocketAddress at = listen(its);
        for (int i = 0; i < CALLERS; i++) {
            call(at);
        }
        final long before = descriptors();
        long most = 0;
        for (int polls = 0; accepted.size() < CALLERS; polls++) {
            assertTrue(polls < POLLS_MAX, "it did not come about");
            final int already = accepted.size();
            its.poll();
            assertTrue(accepted.size() - already <= ACCEPTS_MAX, () -> "accepted " + (accepted.size() - already));
            accepted.subList(already, accepted.size()).forEach(it -> it.link.close());
            most = Math.max(most, descriptors() - before);
        }
        assertTrue(most <= 2 * ACCEPTS_MAX, "descriptors of " + most + " links that are closed");
        assertTrue(accepted.stream().allMatch(it -> it.connected == 1 && it.closed == 0));
    }

    /** The system gives a dialing socket the very port that it dials at times, where nothing listens. */
    @Test
    void socketThatReachesItself_isNoLink() throws IOException {
        final TcpTransport its = new TcpTransport(null);
        listen(its);
        try (SocketChannel channel = SocketChannel.open().bind(new InetSocketAddress("127.0.0.1", 0))) {
            channel.configureBlocking(false);
            final Told told = new Told(null);
            final TcpLink link = new TcpLink(its, channel, null, "tcp:itself");
            link.setEvents(told);
            its.connect(link, channel, (InetSocketAddress) channel.getLocalAddress());
            until(its, () -> told.closed == 1);
            assertEquals(0, told.connected);
            assertEquals("nothing listens at tcp:itself: the socket has reached itself", told.why.getMessage());
        }
    }

    /** The agent looks names up; the transport waits for no name server. */
    @Test
    void namedHost_isToBeNumbered() throws IOException {
        final TcpTransport its = new TcpTransport(null);
        final int port = listen(its).getPort();
        assertEquals("a.host", its.hostName("tcp:a.host:7"));
        for (String numbered : List.of("tcp:127.0.0.1:7", "tcp:[::1]:7")) {
            assertNull(its.hostName(numbered));
        }
        assertEquals("tcp:[0:0:0:0:0:0:0:1]:7", its.numbered("tcp:a.host:7", InetAddress.ofLiteral("::1")));
        assertThrows(IOException.class, () -> its.connect("tcp:a.host:" + port, new Told(null)));
        final Told told = new Told(null);
        told.link = its.connect(its.numbered("tcp:a.host:" + port, InetAddress.ofLiteral("127.0.0.1")), told);
        until(its, () -> told.connected == 1);
    }

    /** The buffer of the last write is not reused for other memory at the same address. */
    @Test
    void write_memoryAtTheAddressOfFreedMemory_isWritten() throws IOException {
        final TcpTransport its = new TcpTransport(null);
        final Socket socket = call(listen(its));
        until(its, () -> !accepted.isEmpty() && accepted.getFirst().connected == 1);
        final Link link = accepted.getFirst().link;
        final Set<Long> addresses = new HashSet<>();
        boolean isAgain = false;
        for (int i = 0; i < ARENAS_MAX && !isAgain; i++) {
            try (Arena arena = Arena.ofShared()) {
                final MemorySegment memory = arena.allocate(1).fill((byte) i);
                isAgain = !addresses.add(memory.address());
                assertEquals(1, link.write(memory, 0, 1));
                assertEquals(i, socket.getInputStream().read());
            }
        }
        assertTrue(isAgain, "no memory came in the place of another");
    }

    // ---- writes of other threads, while the agent's waits ----

    /** A waiting selector ignores changed interests until it is woken up. */
    @Test
    void writeBesideTheAgent_partial_agentReportsWritable() throws Exception {
        final TcpTransport its = new TcpTransport(null);
        final Socket socket = call(listen(its));
        until(its, () -> !accepted.isEmpty() && accepted.getFirst().connected == 1);
        final Told told = accepted.getFirst();
        final MemorySegment memory = Arena.ofAuto().allocate(1 << 20);
        final Thread agent = waiting(its, () -> told.writable > 0);
        int taken = (int) memory.byteSize();
        while (taken == memory.byteSize()) {
            taken = told.link.write(memory, 0, taken);
        }
        final CompletableFuture<Long> read = CompletableFuture.supplyAsync(() -> readAll(socket));
        assertEnds(agent);
        assertEquals(1, told.writable);
        told.link.close();
        assertTrue(read.join() > memory.byteSize() / 2);
    }

    private static long readAll(Socket socket) {
        try {
            return socket.getInputStream().transferTo(OutputStream.nullOutputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void writeBesideTheAgent_fails_agentReportsIt() throws Exception {
        final TcpTransport its = new TcpTransport(null);
        transport = its;
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            final SocketChannel channel = SocketChannel.open();
            channel.configureBlocking(false);
            final TcpLink link = new TcpLink(its, channel, null, "tcp:somewhere");
            final Told told = new Told(link);
            link.setEvents(told);
            its.connect(link, channel, (InetSocketAddress) server.getLocalAddress());
            until(its, () -> told.connected == 1);
            final Thread agent = waiting(its, () -> told.closed > 0);
            channel.shutdownOutput();                           // of which no selector hears
            assertEquals(0, link.write(Arena.ofAuto().allocate(1), 0, 1));
            assertEnds(agent);
            assertEquals(1, told.closed);
            assertNotNull(told.why);
        }
    }

    /** Returns a thread that polls until the condition holds or it is interrupted; it is waiting in the selector. */
    private static Thread waiting(TcpTransport polled, BooleanSupplier isSo) {
        final Thread agent = Thread.ofPlatform().start(() -> {
            while (!isSo.getAsBoolean() && !Thread.currentThread().isInterrupted()) {
                polled.await(Long.MAX_VALUE);
                polled.poll();
            }
        });
        Threads.await("the wait", () -> {
            assertTrue(agent.isAlive());
            return Stream.of(agent.getStackTrace()).anyMatch(TcpTransportTest::isWait);
        });
        return agent;
    }

    private static void assertEnds(Thread agent) throws InterruptedException {
        final boolean hasEnded = agent.join(ENOUGH);
        agent.interrupt();
        agent.join();
        assertTrue(hasEnded, "it slept on");
    }

    private static boolean isWait(StackTraceElement call) {
        return call.getClassName().startsWith("sun.nio.ch.") && call.getMethodName().equals("wait");
    }

    @Test
    void capabilities_withTls_noneWritesBesideTheAgent() throws Exception {
        transport = new TcpTransport(null);
        assertTrue(transport.capabilities().contains(Capability.SENDERS_WRITE));
        final TlsKeys keys = TlsKeys.make();
        final TcpTransport tls = new TcpTransport(keys.trusting(keys));
        assertFalse(tls.capabilities().contains(Capability.SENDERS_WRITE));
        tls.close();
    }

    // ---- addresses and links that fail ----

    @Test
    void address_thatIsNone_isRefusedAtOnce() throws IOException {
        transport = new TcpTransport(null);
        final TcpTransport its = transport;
        for (String address : List.of("tcp:", "tcp:1", "tcp::7", "tcp://127.0.0.1:7", "tcp:127.0.0.1", "tcp:a:b",
            "tcp:a:-1", "tcp:a:65536", "tcp:127.0.0.1:7/x")) {
            assertThrows(AddressException.class, () -> its.connect(address, new Told(null)), address);
            assertThrows(AddressException.class, () -> its.listen(address, _ -> new Told(null)), address);
        }
    }

    /** Bytes without TLS at a port with TLS, which arrive before the link is accepted. */
    @Test
    void linkThatFailsWhenAccepted_isReported() throws IOException {
        final TlsKeys keys = TlsKeys.make();
        final TcpTransport its = new TcpTransport(keys.trusting(keys));
        final Socket socket = call(listen(its));
        socket.getOutputStream().write(new byte[64]);
        until(its, () -> accepted.stream().anyMatch(it -> it.closed > 0));
        assertEquals(1, accepted.getFirst().closed);
        assertEquals(0, accepted.getFirst().connected);
        assertNotNull(accepted.getFirst().why);
    }
}
