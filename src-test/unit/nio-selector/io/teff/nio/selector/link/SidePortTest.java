package io.teff.nio.selector.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.teff.nio.selector.report.LinkReason;
import io.teff.nio.selector.report.Reports;
import io.teff.nio.selector.side.SideHandshake;
import io.teff.nio.selector.side.SideNetworks;
import io.teff.nio.selector.side.SideSecret;
import io.teff.rdma.RdmaException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: programs find each other by side ports, strangers cost little, and a search without success ends in time and
 * is remembered. Method: the classes behind the fabric over the loopback address, where the fabric would take the
 * registry.
 */
final class SidePortTest {
    private static final SelectorProvider JDK = SelectorProvider.provider();
    private static final int PORTS = 4;
    private static final int WAIT_MS = 30_000;
    private static final int PROGRAM_PORT = 7_000;

    @TempDir
    private Path folder;
    private final Reports reports = new Reports();
    private final List<AutoCloseable> closing = new ArrayList<>();
    private InetAddress host = InetAddress.ofLiteral("127.0.0.1");
    private int firstPort;
    private UcxCore core;

    @BeforeEach
    void open() throws IOException {
        try {
            final TcpWatch watch = TcpWatch.open(JDK);
            core = UcxCore.open("tcp", watch, reports, 0);
            closing.add(watch::close);
            closing.add(core::close);
        } catch (RdmaException | LinkageError e) {
            Assumptions.abort("no UCX");
        }
        firstPort = freeRange();
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : closing.reversed()) {
            each.close();
        }
    }

    /** Finds free ports below those that the system gives to clients. */
    private static int freeRange() throws IOException {
        for (int first = 20_000 + (int) (ProcessHandle.current().pid() % 1_000) * PORTS;; first += PORTS) {
            int free = 0;
            while (free < PORTS && isFree(first + free)) {
                free++;
            }
            if (free == PORTS) {
                return first;
            }
        }
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocketChannel channel = ServerSocketChannel.open()) {
            channel.bind(new InetSocketAddress(port));
            return true;
        } catch (BindException e) {
            return false;
        }
    }

    private SidePlan plan(String secret, int waitMs) {
        return new SidePlan(firstPort, firstPort + PORTS - 1,
            SideSecret.of(secret.getBytes(StandardCharsets.US_ASCII)), SideNetworks.of("any"), waitMs);
    }

    private static String secret(int number) {
        return "the secret of the test " + number;
    }

    /** A program with a side port; with a listening channel if a port is given. */
    private PeerListener program(int number, int listeningPort) throws IOException {
        final Agreements agreements = new Agreements();
        final ListenerRegistry registry = ListenerRegistry.open(folder.resolve("registry").toString());
        final PeerListener listener = PeerListener.open(() -> core, agreements, JDK, registry);
        final SidePlan plan = plan(secret(number), WAIT_MS);
        final SidePort port = SidePort.open(JDK, plan, plan.secret().read(), listener);
        closing.add(listener::close);
        closing.add(port);
        if (listeningPort != 0) {
            final ServerSocketChannel channel = ServerSocketChannel.open();
            closing.add(channel);
            agreements.listen(channel, host, listeningPort);
            registry.add(host, listeningPort, listener.socket(), listener.sidePort());
        }
        return listener;
    }

    private RemotePeers client(int number, int waitMs) throws IOException {
        final SidePlan plan = plan(secret(number), waitMs);
        final RemotePeers peers = new RemotePeers(JDK, plan, plan.secret().read(), reports);
        closing.add(peers::close);
        return peers;
    }

    private Fabric.Outcome offer(RemotePeers peers, int port) throws IOException {
        try (SocketChannel connection = JDK.openSocketChannel()) {
            final Fabric.Outcome outcome = peers.offer(() -> core, connection, new InetSocketAddress(host, port));
            if (outcome.link() != null) {
                assertEquals(host, ((InetSocketAddress) connection.getLocalAddress()).getAddress());
                peers.withdraw(outcome.link());
            }
            return outcome;
        }
    }

    @Test
    void offer_isTaken_byTheProgramThatListens() throws IOException {
        program(1, 0);
        final PeerListener second = program(1, PROGRAM_PORT);
        assertEquals(firstPort + 1, second.sidePort());
        final RemotePeers peers = client(1, WAIT_MS);
        for (int i = 0; i < 3; i++) {                           // the first program of the machine knows the second
            final Fabric.Outcome outcome = offer(peers, PROGRAM_PORT);
            assertEquals(LinkReason.UCX, outcome.reason(), () -> String.valueOf(reports.lastFailure()));
            assertNotNull(outcome.link());
        }
        assertEquals(LinkReason.NO_LISTENER, offer(peers, PROGRAM_PORT + 1).reason());
        assertEquals(LinkReason.UCX, offer(peers, PROGRAM_PORT).reason());
    }

    @Test
    void offer_isTaken_overVersion6() throws IOException {
        host = InetAddress.ofLiteral("::1");
        Assumptions.assumeTrue(NetworkInterface.getByInetAddress(host) != null, "no IPv6");
        program(1, PROGRAM_PORT);
        assertEquals(LinkReason.UCX, offer(client(1, WAIT_MS), PROGRAM_PORT).reason(),
            () -> String.valueOf(reports.lastFailure()));
    }

    @Test
    void offer_toAProgramWithAnotherSecret_isForTcp_andGoesOnToTheNext() throws IOException {
        program(2, PROGRAM_PORT);
        final RemotePeers peers = client(1, WAIT_MS);
        assertEquals(LinkReason.OTHER_SECRET, offer(peers, PROGRAM_PORT).reason());
        program(1, PROGRAM_PORT);
        assertEquals(LinkReason.OTHER_SECRET, offer(peers, PROGRAM_PORT).reason());     // remembered
        assertEquals(LinkReason.UCX, offer(client(1, WAIT_MS), PROGRAM_PORT).reason());
    }

    @Test
    void offer_withoutAnySidePort_isForTcp_andRemembered() throws IOException {
        final RemotePeers peers = client(1, WAIT_MS);
        assertEquals(LinkReason.NO_SIDE_PORT, offer(peers, PROGRAM_PORT).reason());
        program(1, PROGRAM_PORT);
        assertEquals(LinkReason.NO_SIDE_PORT, offer(peers, PROGRAM_PORT).reason());
    }

    @Test
    void offer_toAPortThatSaysNothing_orSomethingElse_endsInTime() throws Exception {
        final int waitMs = 400;
        try (ServerSocket silent = new ServerSocket(firstPort); ServerSocket other = new ServerSocket(firstPort + 1)) {
            final Thread speaker = Thread.ofVirtual().start(() -> {
                try (Socket stranger = other.accept()) {
                    stranger.getOutputStream().write("HTTP/1.1 400 Bad Request\r\n\r\n".repeat(4)
                        .getBytes(StandardCharsets.US_ASCII));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
            final RemotePeers peers = client(1, waitMs);
            final long beginNs = System.nanoTime();
            assertEquals(LinkReason.NO_SIDE_PORT, offer(peers, PROGRAM_PORT).reason());
            final long tookMs = (System.nanoTime() - beginNs) / 1_000_000;
            assertTrue(tookMs < waitMs + 5_000, () -> tookMs + " ms");          // the test's machine may be busy
            speaker.join();
            assertEquals(LinkReason.NO_SIDE_PORT, offer(peers, PROGRAM_PORT).reason());
            silent.accept().close();
        }
    }

    /** A connection behind a proof of the secret. */
    private SideConnection proven(PeerListener program) throws IOException {
        return SideConnection.shake(SocketChannel.open(new InetSocketAddress(host, program.sidePort())),
            SideHandshake.dialer(plan(secret(1), WAIT_MS).secret().read(), new byte[SideHandshake.NONCE]),
            System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
    }

    @Test
    void frames_ofAProvenPeer_thatAreWrong_endItsConnectionAlone() throws IOException {
        final PeerListener program = program(1, PROGRAM_PORT);
        final SplittableRandom random = new SplittableRandom(2);
        final byte[] address = core.address();
        for (int i = 0; i < 40; i++) {
            final byte[] changed = address.clone();
            changed[random.nextInt(changed.length)] ^= (byte) (1 + random.nextInt(255));
            final ByteBuffer frame = SideConnection.frame(i % 4 == 0 ? random.nextInt() : SideConnection.HELLO);
            switch (i % 4) {
                case 0 -> frame.putLong(random.nextLong());
                case 1 -> frame.putLong(1).putInt(core.release()).put(changed);
                case 2 -> frame.putLong(1).putInt(core.release()).put(address, 0, random.nextInt(address.length));
                default -> frame.putLong(1).putInt(core.release() + 1).put(address);
            }
            try (SideConnection side = proven(program)) {
                side.send(frame);
                assertThrows(IOException.class, side::receive);
            }
        }
        assertEquals(LinkReason.UCX, offer(client(1, WAIT_MS), PROGRAM_PORT).reason());
    }

    @Test
    void question_withTranslatedAddresses_isAnsweredSo() throws Exception {
        final PeerListener program = program(1, PROGRAM_PORT);
        final PeerDialer dialer = PeerDialer.start(proven(program), WAIT_MS * 1_000_000L);
        final InetAddress other = InetAddress.ofLiteral("10.1.2.3");
        final long waitNs = TimeUnit.SECONDS.toNanos(30);
        assertEquals(program.sidePort(), dialer.find(host, PROGRAM_PORT, host, waitNs));
        assertEquals(PeerListener.TRANSLATED, dialer.find(host, PROGRAM_PORT, other, waitNs));
        assertEquals(PeerListener.TRANSLATED, dialer.find(other, PROGRAM_PORT, host, waitNs));
        assertEquals(PeerListener.NONE, dialer.find(host, 1, host, waitNs));
        dialer.close();
    }

    @Test
    void strangers_beyondTheLimit_areClosedAtOnce_andPeersAreServedBehindThem() throws IOException {
        final PeerListener program = program(1, PROGRAM_PORT);
        final List<SocketChannel> strangers = new ArrayList<>();
        for (int i = 0; i < SidePort.STRANGERS_OF_ADDRESS_MAX; i++) {
            strangers.add(SocketChannel.open(new InetSocketAddress(host, program.sidePort())));
            strangers.getLast().write(ByteBuffer.wrap(new byte[i]));            // and no more
        }
        try (SocketChannel late = SocketChannel.open(new InetSocketAddress(host, program.sidePort()))) {
            assertTrue(isEnded(late));
            final SocketChannel last = strangers.getLast();
            last.configureBlocking(false);
            assertEquals(0, last.read(ByteBuffer.allocate(1)));                 // so its time was not over
            last.configureBlocking(true);
        }
        for (SocketChannel stranger : strangers) {
            assertTrue(isEnded(stranger));                      // by the time of a handshake
            stranger.close();
        }
        assertEquals(LinkReason.UCX, offer(client(1, WAIT_MS), PROGRAM_PORT).reason());
    }

    private static boolean isEnded(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    @Test
    void bytes_ofStrangers_endTheirConnectionAlone() throws IOException {
        final PeerListener program = program(1, PROGRAM_PORT);
        final SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 50; i++) {
            try (SocketChannel stranger = SocketChannel.open(new InetSocketAddress(host, program.sidePort()))) {
                final byte[] bytes = new byte[48 + random.nextInt(200)];
                random.nextBytes(bytes);
                stranger.write(ByteBuffer.wrap(bytes));
                assertTrue(isEnded(stranger));
            }
        }
        final Fabric.Outcome outcome = offer(client(1, WAIT_MS), PROGRAM_PORT);
        assertEquals(LinkReason.UCX, outcome.reason());
        assertNull(offer(client(2, WAIT_MS), PROGRAM_PORT).link());
    }
}
