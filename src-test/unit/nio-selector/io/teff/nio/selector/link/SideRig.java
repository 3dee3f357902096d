package io.teff.nio.selector.link;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.teff.nio.selector.report.Reports;
import io.teff.nio.selector.side.SideHandshake;
import io.teff.nio.selector.side.SideNetworks;
import io.teff.nio.selector.side.SideSecret;
import io.teff.rdma.RdmaException;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Programs with side ports and their clients in one JVM, with one worker of UCX over TCP. */
final class SideRig {
    static final int WAIT_MS = 30_000;
    static final int PROGRAM_PORT = 7_000;
    private static final SelectorProvider JDK = SelectorProvider.provider();
    private static final int PORTS = 4;

    private final Path folder;
    final Reports reports = new Reports();
    private final List<AutoCloseable> closing = new ArrayList<>();
    InetAddress host = InetAddress.ofLiteral("127.0.0.1");
    final int firstPort;
    final UcxCore core;

    private SideRig(Path folder) throws IOException {
        this.folder = folder;
        firstPort = freeRange();
        final TcpWatch watch = TcpWatch.open(JDK);
        closing.add(watch::close);
        core = UcxCore.open("tcp", watch, reports, 0);
        closing.add(core::close);
    }

    /** Opens a rig; null without UCX. */
    static SideRig open(Path folder) throws IOException {
        try {
            return new SideRig(folder);
        } catch (RdmaException | LinkageError e) {
            System.out.println("side ports: skipped, " + e);
            return null;
        }
    }

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

    SidePlan plan(String secret, int waitMs) {
        return new SidePlan(firstPort, firstPort + PORTS - 1,
            SideSecret.of(secret.getBytes(StandardCharsets.US_ASCII)), SideNetworks.of("any"), waitMs);
    }

    static String secret(int number) {
        return "the secret of the test " + number;
    }

    /** A program with a side port; with a listening channel if a port is given. */
    PeerListener program(int number, int listeningPort) throws IOException {
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

    RemotePeers client(int number, int waitMs) throws IOException {
        final SidePlan plan = plan(secret(number), waitMs);
        final RemotePeers peers = new RemotePeers(JDK, plan, plan.secret().read(), reports);
        closing.add(peers::close);
        return peers;
    }

    Fabric.Outcome offer(RemotePeers peers, int port) throws IOException {
        try (SocketChannel connection = JDK.openSocketChannel()) {
            final Fabric.Outcome outcome = peers.offer(() -> core, connection, new InetSocketAddress(host, port));
            if (outcome.link() != null) {
                assertEquals(host, ((InetSocketAddress) connection.getLocalAddress()).getAddress());
                peers.withdraw(outcome.link());
            }
            return outcome;
        }
    }

    /** A connection behind a proof of the secret. */
    SideConnection proven(PeerListener program) throws IOException {
        return SideConnection.shake(SocketChannel.open(new InetSocketAddress(host, program.sidePort())),
            SideHandshake.dialer(plan(secret(1), WAIT_MS).secret().read(), new byte[SideHandshake.NONCE]),
            System.nanoTime() + TimeUnit.SECONDS.toNanos(30));
    }

    private ServerSocketChannel blocker;

    /** Lets the next program take the second port. */
    void blockFirst() throws IOException {
        blocker = ServerSocketChannel.open().bind(new InetSocketAddress(firstPort));
    }

    void unblockFirst() throws IOException {
        blocker.close();
    }

    /** An offer that is not taken back. */
    Fabric.Outcome offerAlone(RemotePeers peers, int port) throws IOException {
        try (SocketChannel connection = JDK.openSocketChannel()) {
            return peers.offer(() -> core, connection, new InetSocketAddress(host, port));
        }
    }

    /** A client that the caller closes. */
    RemotePeers freshClient(int number, int waitMs) throws IOException {
        final SidePlan plan = plan(secret(number), waitMs);
        return new RemotePeers(JDK, new SidePlan(firstPort, firstPort, plan.secret(), plan.networks(), waitMs),
            plan.secret().read(), reports);
    }
}
