package io.teff.nio.selector.link;

import io.teff.nio.selector.link.Fabric.Outcome;
import io.teff.nio.selector.report.LinkReason;
import io.teff.nio.selector.report.Reports;
import io.teff.nio.selector.side.SideHandshake;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.security.SecureRandom;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the programs with the provider on other machines by their side ports, and offers links.
 *
 * <p><b>Search.</b> The ports of the range are tried in order at the address of the connection. Each program with a
 * side port answers for all programs of its user on its machine, since the registry there has the side ports. So the
 * search ends at the first program mostly, also where the listener belongs to another program.
 *
 * <p><b>Time.</b> A connect waits at most the time of the settings for the search, the proof and the path together, and
 * a quarter of the time for the answer to the offer. A search without success is remembered, for a time that doubles
 * while the search fails again: connects to the machine do not wait meanwhile.
 *
 * <p><b>The end of the wait for ACCEPTED.</b> The connection may lead to another program than the offer: behind a load
 * balancer, or by translated addresses that the side port did not show. So the client ends its wait by RESOLVE, and the
 * server takes the agreement back unless the server has accepted by it. Both sides use TCP then.
 */
final class RemotePeers implements AutoCloseable {
    /** Time without a search behind the first search that has failed. */
    static final long REST_NS = 5_000_000_000L;
    /** Longest time without a search. */
    static final long REST_NS_MAX = 64 * REST_NS;
    /** Time without a question for a listener that was not there. */
    private static final long NO_LISTENER_NS = 2_000_000_000;
    /** Time without offers to an address where translated addresses or another program were found. */
    private static final long ELSEWHERE_NS = 60_000_000_000L;
    /** Addresses that are remembered. */
    private static final int ENTRIES_MAX = 10_000;
    /** A connect and a handshake may take this part of the wait each. */
    private static final int STEPS = 4;
    private static final long MS = 1_000_000;

    private record Target(InetAddress address, int port) {}

    private record Rest(LinkReason reason, long untilNs, long lengthNs) {}

    /** The programs at an address, by side port. The lock is held during a search. */
    private static final class Host {
        private final ReentrantLock lock = new ReentrantLock();
        private final Map<Integer, PeerDialer> dialers = new ConcurrentHashMap<>();

        private @Nullable PeerDialer live(int port) {
            final PeerDialer found = dialers.get(port);
            return found == null || found.isEnded() ? null : found;
        }
    }

    /** A reason for TCP that is remembered. */
    private static final class NoPeerException extends IOException {
        private static final long serialVersionUID = 1;
        private final LinkReason reason;
        private final boolean isOfHost;
        /** 0: the next port may be better. */
        private final long restNs;

        private NoPeerException(LinkReason reason, boolean isOfHost, long restNs, @Nullable Throwable cause) {
            super(reason.text(), cause);
            this.reason = reason;
            this.isOfHost = isOfHost;
            this.restNs = restNs;
        }
    }

    private final SelectorProvider provider;
    private final SidePlan plan;
    private final byte[] secret;
    private final Reports reports;
    private final SecureRandom random = new SecureRandom();
    private final Map<InetAddress, Host> hosts = new ConcurrentHashMap<>();
    private final Map<Target, Integer> ports = new ConcurrentHashMap<>();
    private final Map<Target, Rest> rests = new ConcurrentHashMap<>();
    private final long waitNs;
    private final Executor later;
    private volatile boolean isClosed;

    RemotePeers(SelectorProvider provider, SidePlan plan, byte[] secret, Reports reports) {
        this.provider = provider;
        this.plan = plan;
        this.secret = secret;
        this.reports = reports;
        waitNs = plan.waitMs() * MS;
        later = CompletableFuture.delayedExecutor(plan.waitMs(), TimeUnit.MILLISECONDS,
            task -> Thread.ofVirtual().name("teff-nio-resolve").start(task));
    }

    byte[] secret() {
        return secret;
    }

    // ---- offers ----

    /** Offers a link to the program at an address of another machine, before the connection is made. */
    Outcome offer(Supplier<@Nullable UcxCore> cores, SocketChannel connection, InetSocketAddress to)
            throws IOException {
        final Target target = new Target(to.getAddress(), to.getPort());
        final LinkReason resting = resting(target);
        if (resting != null) {
            return new Outcome(null, resting);
        }
        try {
            final InetAddress own = ownAddress(connection, target);
            final PeerDialer dialer = dialer(cores, target, System.nanoTime() + waitNs);
            if (connection.getLocalAddress() == null) {
                connection.bind(new InetSocketAddress(own, 0));
            }
            final int clientPort = ((InetSocketAddress) connection.getLocalAddress()).getPort();
            final ByteLink link = dialer.offer(target.address(), target.port(), clientPort, own);
            if (link == null) {
                ports.remove(target);
                throw new NoPeerException(LinkReason.DECLINED, false, NO_LISTENER_NS, null);
            }
            if (link.peerNumber() == 0) {                       // no answer yet
                rest(target, LinkReason.UNREACHABLE, REST_NS);
                return new Outcome(link, LinkReason.UCX, true);
            }
            rests.remove(new Target(target.address(), 0));
            rests.computeIfPresent(target, (same, rest) -> rest.reason() == LinkReason.FELL_BACK ? rest : null);
            return new Outcome(link, LinkReason.UCX, true);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();                 // connect ends by it
            return new Outcome(null, LinkReason.UNREACHABLE);
        } catch (NoPeerException e) {
            return failed(e.isOfHost ? new Target(target.address(), 0) : target, e.reason, e.restNs, e);
        } catch (IOException e) {
            return failed(target, LinkReason.UNREACHABLE, REST_NS, e);
        }
    }

    private @Nullable LinkReason resting(Target target) {
        final long nowNs = System.nanoTime();
        Rest rest = rests.get(target);
        if (rest == null || nowNs - rest.untilNs() >= 0) {
            rest = rests.get(new Target(target.address(), 0));
        }
        return rest == null || nowNs - rest.untilNs() >= 0 ? null : rest.reason();
    }

    private Outcome failed(Target key, LinkReason reason, long restNs, IOException why) {
        reports.failed(why);
        if (!Thread.currentThread().isInterrupted()) {
            rest(key, reason, restNs);
        }
        return new Outcome(null, reason);
    }

    /** Remembers a reason; doubles the time if the reason was there before. */
    private void rest(Target key, LinkReason reason, long restNs) {
        if (rests.size() >= ENTRIES_MAX) {
            rests.clear();                                      // searched anew, each at most once
        }
        final Rest before = rests.get(key);
        final long lengthNs = before != null && before.reason() == reason && restNs == REST_NS
            ? Math.min(2 * before.lengthNs(), REST_NS_MAX) : restNs;
        rests.put(key, new Rest(reason, System.nanoTime() + lengthNs, lengthNs));
    }

    /** The address that the connection will have: the address that it is bound to, or the choice of the system. */
    private InetAddress ownAddress(SocketChannel connection, Target target) throws IOException {
        if (connection.getLocalAddress() instanceof InetSocketAddress bound
            && !bound.getAddress().isAnyLocalAddress()) {
            return bound.getAddress();
        }
        try (DatagramChannel probe = provider.openDatagramChannel()) {
            probe.connect(new InetSocketAddress(target.address(), plan.firstPort()));   // sends nothing
            return ((InetSocketAddress) probe.getLocalAddress()).getAddress();
        }
    }

    // ---- the search ----

    /** Finds the program that listens at an address, and a path to the program. */
    private PeerDialer dialer(Supplier<@Nullable UcxCore> cores, Target target, long deadlineNs)
            throws IOException, InterruptedException {
        if (hosts.size() >= ENTRIES_MAX) {
            hosts.values().removeIf(host -> host.dialers.values().stream().allMatch(PeerDialer::isEnded));
        }
        final Host host = hosts.computeIfAbsent(target.address(), address -> new Host());
        final PeerDialer known = known(host, target);
        if (known != null) {
            return known;
        }
        if (!host.lock.tryLock(leftNs(deadlineNs), TimeUnit.NANOSECONDS)) {
            throw new PeerDialer.SlowException();
        }
        try {
            final PeerDialer meanwhile = known(host, target);
            return meanwhile == null ? search(cores, host, target, deadlineNs) : meanwhile;
        } finally {
            host.lock.unlock();
        }
    }

    private @Nullable PeerDialer known(Host host, Target target) {
        final Integer port = ports.get(target);
        return port == null ? null : host.live(port);
    }

    private PeerDialer search(Supplier<@Nullable UcxCore> cores, Host host, Target target,
            long deadlineNs) throws IOException, InterruptedException {
        host.dialers.values().removeIf(PeerDialer::isEnded);
        LinkReason reason = LinkReason.NO_SIDE_PORT;
        @Nullable IOException why = null;
        for (int port = plan.firstPort(); port <= plan.lastPort(); port++) {
            try {
                final PeerDialer asked = atPort(host, target.address(), port, deadlineNs);
                reason = LinkReason.NO_LISTENER;
                final long found = asked.find(target.address(), target.port(), asked.side().local().getAddress(),
                    leftNs(deadlineNs));
                if (found == PeerListener.TRANSLATED) {
                    throw new NoPeerException(LinkReason.TRANSLATED, true, ELSEWHERE_NS, null);
                }
                if (found >= plan.firstPort() && found <= plan.lastPort()) {
                    return greeted(cores, host, target, (int) found, deadlineNs);
                }
            } catch (NoPeerException e) {
                if (e.restNs > 0) {
                    throw e;                                    // no port will do
                }
                why = e;
                reason = reason == LinkReason.NO_SIDE_PORT ? e.reason : reason;
            }
        }
        final boolean isOfHost = reason != LinkReason.NO_LISTENER;
        throw new NoPeerException(reason, isOfHost, isOfHost ? REST_NS : NO_LISTENER_NS, why);
    }

    private PeerDialer greeted(Supplier<@Nullable UcxCore> cores, Host host, Target target, int port,
            long deadlineNs) throws IOException, InterruptedException {
        final PeerDialer dialer = atPort(host, target.address(), port, deadlineNs);
        if (!dialer.isGreeted()) {
            final UcxCore core = cores.get();
            if (core == null) {
                throw new NoPeerException(LinkReason.NO_UCX, true, REST_NS_MAX, null);
            }
            try {
                dialer.greet(core, leftNs(deadlineNs));
            } catch (IOException e) {
                throw new NoPeerException(LinkReason.NO_PATH, false, REST_NS, e);
            }
        }
        if (ports.size() >= ENTRIES_MAX) {
            ports.clear();                                      // found anew by a question each
        }
        ports.put(target, port);
        return dialer;
    }

    /** Returns the side connection to a port; a new one is made with a proof of the secret. */
    private PeerDialer atPort(Host host, InetAddress address, int port, long deadlineNs) throws IOException {
        final PeerDialer live = host.live(port);
        if (live != null) {
            return live;
        }
        final byte[] nonce = new byte[SideHandshake.NONCE];
        random.nextBytes(nonce);
        final SideHandshake handshake = SideHandshake.dialer(secret, nonce);
        final SocketChannel channel = provider.openSocketChannel();
        boolean isDone = false;
        try {
            connect(channel, new InetSocketAddress(address, port), deadlineNs);
            SideKeepAlive.set(channel);
            final SideConnection side = SideConnection.shake(channel, handshake,
                System.nanoTime() + Math.min(leftNs(deadlineNs), waitNs / STEPS));
            final PeerDialer dialer = PeerDialer.start(side, waitNs / STEPS);
            host.dialers.put(port, dialer);
            isDone = !isClosed;
            return dialer;
        } catch (NoPeerException e) {
            throw e;
        } catch (IOException e) {
            throw new NoPeerException(handshake.hasProven() ? LinkReason.OTHER_SECRET : LinkReason.NO_SIDE_PORT, true,
                0, e);
        } finally {
            if (!isDone) {
                channel.close();
            }
        }
    }

    /** A refused connection leaves hope for the next port; a firewall that answers nothing leaves none. */
    private void connect(SocketChannel channel, InetSocketAddress to, long deadlineNs) throws IOException {
        final long timeoutMs = Math.min(leftNs(deadlineNs), waitNs / STEPS) / MS;
        try {
            channel.socket().connect(to, (int) Math.max(timeoutMs, 1));
        } catch (ConnectException e) {
            throw e;
        } catch (IOException e) {
            throw new NoPeerException(LinkReason.NO_SIDE_PORT, true, REST_NS, e);
        }
    }

    private static long leftNs(long deadlineNs) {
        return Math.max(deadlineNs - System.nanoTime(), 0);
    }

    // ---- behind the connect ----

    /**
     * Ends the wait for ACCEPTED after a while. The address is remembered until a later link is accepted.
     *
     * @param connection that was made
     */
    void resolveLater(ByteLink link, SocketChannel connection) throws IOException {
        if (connection.getRemoteAddress() instanceof InetSocketAddress to) {
            final Target target = new Target(to.getAddress(), to.getPort());
            later.execute(() -> {
                if (link.isConfirmed()) {
                    rests.remove(target);
                } else {                                        // the server forgets a fallen link, too
                    rest(target, LinkReason.FELL_BACK, REST_NS);
                    each(dialer -> dialer.resolve(link));
                }
            });
        }
    }

    /** Takes an offer back. */
    void withdraw(ByteLink link) {
        each(dialer -> dialer.withdraw(link));
    }

    private void each(Consumer<PeerDialer> step) {
        hosts.values().forEach(host -> host.dialers.values().forEach(step));
    }

    @Override
    public void close() {
        isClosed = true;
        each(PeerDialer::close);
    }
}
