package io.teff.nio.selector.link;

import io.teff.nio.selector.report.LinkReason;
import io.teff.nio.selector.report.Reports;
import io.teff.rdma.RdmaException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All links of a provider. Threads, the worker of UCX and the registry begin with the first listening channel, or with
 * the first connection to a program with the provider.
 */
public final class Fabric implements AutoCloseable {
    /** Time without further offers to a program that has not answered. */
    private static final long SKIP_NS = 5_000_000_000L;

    private final SelectorProvider provider;
    private final boolean isEnabled;
    private final String registryPath;
    private final String transports;
    private final long spinNs;
    private final int firstWaitMs;
    private final @Nullable SidePlan plan;
    private final Reports reports;
    private final Agreements agreements = new Agreements();
    private final Map<Path, PeerDialer> dialers = new ConcurrentHashMap<>();
    /** The monitors of side connections that are being made. */
    private final Map<Path, Object> dialing = new ConcurrentHashMap<>();
    private final Map<Path, Long> skippedUntilNs = new ConcurrentHashMap<>();
    private @Nullable ListenerRegistry registry;
    private @Nullable TcpWatch watch;
    private volatile @Nullable UcxCore core;
    private @Nullable PeerListener offers;
    private @Nullable SidePort sidePort;
    private @Nullable RemotePeers peers;
    private boolean hasNoSide;
    private boolean hasNoUcx;
    private boolean hasNoRegistry;
    private boolean isClosed;

    /**
     * Makes a fabric without threads.
     *
     * @param provider of the JDK
     * @param isEnabled false: all connections go by TCP
     * @param registryPath folder of listening addresses; empty for the folder of the user
     * @param transports in the form of the UCX variable TLS; empty for the choice of UCX
     * @param spinNs longest time in which a waiting thread makes progress itself
     * @param firstWaitMs longest delay of the first connect to a program of this machine
     * @param plan for peers on other machines; null for none
     * @param reports of the provider
     */
    public Fabric(SelectorProvider provider, boolean isEnabled, String registryPath, String transports, long spinNs,
            int firstWaitMs, @Nullable SidePlan plan, Reports reports) {
        this.provider = provider;
        this.isEnabled = isEnabled;
        this.registryPath = registryPath;
        this.transports = transports;
        this.spinNs = spinNs;
        this.firstWaitMs = firstWaitMs;
        this.plan = plan;
        this.reports = reports;
    }

    private synchronized @Nullable ListenerRegistry registry() {
        if (registry == null && !hasNoRegistry && !isClosed) {
            try {
                registry = ListenerRegistry.open(registryPath);
            } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
                hasNoRegistry = true;
                reports.failed(e);
            }
        }
        return registry;
    }

    private synchronized @Nullable UcxCore core() {
        if (core == null && !hasNoUcx && !isClosed) {
            try {
                if (watch == null) {
                    watch = TcpWatch.open(provider);
                }
                core = UcxCore.open(transports, watch, reports, spinNs);
            } catch (IOException | RdmaException | LinkageError e) {
                hasNoUcx = true;
                reports.failed(e);
            }
        }
        return core;
    }

    // ---- listening ----

    /** Takes note of a channel that listens. Any failure means that its connections go by TCP. */
    public void listening(ServerSocketChannel channel) {
        final ListenerRegistry folder = isEnabled ? registry() : null;
        if (folder == null) {
            return;
        }
        try {
            final boolean isShared = channel.supportedOptions().contains(StandardSocketOptions.SO_REUSEPORT)
                && channel.getOption(StandardSocketOptions.SO_REUSEPORT);
            if (!isShared && channel.getLocalAddress() instanceof InetSocketAddress address) {
                final PeerListener taker = offers(folder);
                agreements.listen(channel, address.getAddress(), address.getPort());
                folder.add(address.getAddress(), address.getPort(), taker.socket(), taker.sidePort());
            }
        } catch (IOException e) {
            reports.failed(e);
        }
    }

    private synchronized PeerListener offers(ListenerRegistry folder) throws IOException {
        if (isClosed) {
            throw new IOException("closed");
        }
        if (offers == null) {
            offers = PeerListener.open(this::core, agreements, provider, folder);
            openSidePort(offers);
        }
        return offers;
    }

    private synchronized void openSidePort(PeerListener taker) {
        final RemotePeers known = peers();
        if (plan != null && known != null) {
            try {
                sidePort = SidePort.open(provider, plan, known.secret(), taker);
                Thread.ofVirtual().name("teff-nio-warm").start(this::core);     // UCX takes its time to begin
            } catch (IOException e) {
                reports.failed(e);                              // peers on other machines come by TCP
            }
        }
    }

    private synchronized @Nullable RemotePeers peers() {
        if (peers == null && plan != null && !hasNoSide && !isClosed) {
            try {
                peers = new RemotePeers(provider, plan, plan.secret().read(), reports);
            } catch (IOException | UnsupportedOperationException e) {
                hasNoSide = true;
                reports.failed(e);
            }
        }
        return peers;
    }

    /** Takes note of a listening channel that is closed, or about to be closed. */
    public void closing(ServerSocketChannel channel, @Nullable SocketAddress local) {
        final ListenerRegistry folder = registry;
        final PeerListener taker = offers;
        if (folder != null && taker != null && local instanceof InetSocketAddress address) {
            folder.remove(address.getAddress(), address.getPort(), taker.socket());
        }
        agreements.close(channel);
    }

    /** Finds the link of an accepted connection; null if the connection goes by TCP. */
    public @Nullable ByteLink accepted(SocketChannel connection) throws IOException {
        if (!(connection.getLocalAddress() instanceof InetSocketAddress local)
            || !(connection.getRemoteAddress() instanceof InetSocketAddress remote)) {
            return null;
        }
        final ByteLink found = isSameMachine(connection)
            ? agreements.take(new Agreements.Ends(local.getPort(), remote.getPort(), null, null)) : null;
        return found == null ? agreements.take(new Agreements.Ends(local.getPort(), remote.getPort(),
            local.getAddress(), remote.getAddress())) : found;
    }

    private static int port(@Nullable SocketAddress address) {
        return address instanceof InetSocketAddress found ? found.getPort() : 0;
    }

    /** {@return whether both ends of a connection have addresses of one machine} */
    public boolean isSameMachine(SocketChannel connection) throws IOException {
        return connection.getLocalAddress() instanceof InetSocketAddress local
            && connection.getRemoteAddress() instanceof InetSocketAddress remote
            && (local.getAddress().equals(remote.getAddress())
                || local.getAddress().isLoopbackAddress() && remote.getAddress().isLoopbackAddress());
    }

    /** Counts a connection. */
    public void count(LinkReason reason, SocketChannel connection) {
        @Nullable SocketAddress local = null;
        @Nullable SocketAddress remote = null;
        try {
            local = connection.getLocalAddress();
            remote = connection.getRemoteAddress();
        } catch (IOException e) {
            reports.failed(e);
        }
        reports.count(isEnabled ? reason : LinkReason.RULE, local, remote);
    }

    // ---- connecting ----

    /**
     * The outcome of an offer.
     *
     * @param link null for TCP
     * @param reason why
     * @param isRemote whether the link is of a program on another machine
     */
    public record Outcome(@Nullable ByteLink link, LinkReason reason, boolean isRemote) {
        /** An outcome of this machine. */
        Outcome(@Nullable ByteLink link, LinkReason reason) {
            this(link, reason, false);
        }
    }

    /**
     * Offers a link to the program at an address, before the connection is made.
     *
     * @param connection gets a local port if it has none, and there is such a program
     * @param target of the connection
     */
    public Outcome offer(SocketChannel connection, InetSocketAddress target) throws IOException {
        final InetAddress address = target.getAddress();
        if (!isEnabled) {
            return new Outcome(null, LinkReason.RULE);
        }
        final ListenerRegistry folder = registry();
        if (folder == null) {
            return new Outcome(null, LinkReason.NO_LISTENER);
        }
        if (!folder.isLocal(address)) {
            return offerRemote(connection, target);
        }
        final Path socket = folder.find(address, target.getPort());
        if (socket == null) {                                   // another user may listen there, with a side port
            final Outcome remote = address.isLoopbackAddress() ? null : offerRemote(connection, target);
            return remote == null || remote.reason() == LinkReason.NOT_LOCAL
                ? new Outcome(null, LinkReason.NO_LISTENER) : remote;
        }
        final Long skipped = skippedUntilNs.get(socket);
        if (skipped != null && System.nanoTime() - skipped < 0) {
            return new Outcome(null, LinkReason.UNREACHABLE);
        }
        final UcxCore open = core();
        if (open == null) {
            return new Outcome(null, LinkReason.NO_UCX);
        }
        try {
            final PeerDialer dialer = dialer(open, socket);
            if (dialer.isSlow()) {
                return new Outcome(null, LinkReason.UNREACHABLE);
            }
            if (connection.getLocalAddress() == null) {
                connection.bind(null);
            }
            final int clientPort = port(connection.getLocalAddress());
            final ByteLink link = dialer.offer(address, target.getPort(), clientPort, null);
            return new Outcome(link, link == null ? LinkReason.DECLINED : LinkReason.UCX);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();                 // connect ends by it
            return new Outcome(null, LinkReason.UNREACHABLE);
        } catch (IOException e) {
            reports.failed(e);
            if (!Thread.currentThread().isInterrupted()) {
                skippedUntilNs.put(socket, System.nanoTime() + SKIP_NS);
            }
            if (e instanceof ConnectException || !Files.exists(socket)) {
                folder.remove(address, target.getPort(), socket);   // of a program that was killed
                ListenerRegistry.delete(socket);
            }
            return new Outcome(null, LinkReason.UNREACHABLE);
        }
    }

    private Outcome offerRemote(SocketChannel connection, InetSocketAddress target) throws IOException {
        final RemotePeers known = plan == null || !plan.networks().contains(target.getAddress()) ? null : peers();
        return known == null ? new Outcome(null, LinkReason.NOT_LOCAL) : known.offer(this::core, connection, target);
    }

    /** Ends the wait for ACCEPTED of a link to another machine, some time after the connection was made. */
    public void resolveLater(ByteLink link, SocketChannel connection) throws IOException {
        final RemotePeers known = peers();
        if (known != null) {
            known.resolveLater(link, connection);
        }
    }

    /** Finds or makes the side connection to a program; a program that is slow delays connects to it alone. */
    private PeerDialer dialer(UcxCore open, Path socket) throws IOException, InterruptedException {
        final PeerDialer known = dialers.get(socket);
        if (known != null && !known.isEnded()) {
            return known;
        }
        synchronized (dialing.computeIfAbsent(socket, path -> new Object())) {
            PeerDialer found = dialers.get(socket);
            if (found == null || found.isEnded()) {
                dialers.values().removeIf(PeerDialer::isEnded);
                dialing.keySet().removeIf(path -> !path.equals(socket) && !Files.exists(path));
                found = PeerDialer.open(open, provider, socket, TimeUnit.MILLISECONDS.toNanos(firstWaitMs));
                dialers.put(socket, found);
            }
            return found;
        }
    }

    /** Ends a link whose connection was not made. */
    public void withdraw(ByteLink link) {
        dialers.values().forEach(dialer -> dialer.withdraw(link));
        final RemotePeers known = peers();
        if (known != null) {
            known.withdraw(link);
        }
    }

    /** {@return the threads of the worker of UCX; null before the first link} */
    public @Nullable WorkerKeeper keeper() {
        final UcxCore open = core;
        return open == null || open.isClosed() ? null : open.keeper();
    }

    /** {@return the number of links, for tests} */
    public synchronized int linkCount() {
        final UcxCore open = core;
        return open == null ? 0 : open.links().size();
    }

    @Override
    public void close() throws IOException {
        final @Nullable UcxCore open;
        synchronized (this) {
            isClosed = true;
            open = core;
            if (sidePort != null) {
                sidePort.close();
            }
            if (offers != null) {
                offers.close();
            }
            if (peers != null) {
                peers.close();
            }
        }
        dialers.values().forEach(PeerDialer::close);
        try {
            if (open != null) {
                open.close();
            }
            if (watch != null) {
                watch.close();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
