package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.transport.Lookups;
import io.teff.cluster.net.transport.Ports;
import io.teff.cluster.net.wire.ElsewhereException;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Dials the links needed by an agent's connections, in growing intervals, and decides when a node counts as
 * unreachable. By the agent only.
 */
final class Dialer {
    /** A dial is alive if the dial began, or the other side has answered, within this time: some round trips. */
    private static final long ALIVE_NS = 500_000_000;
    /** After a misfit the next dial has the pause of this many dials in vain. */
    private static final int MISFIT_DIALS = 4;
    private static final String TLS_REMEDY =
        "; all nodes and clients need TLS, or none, and each needs certificates that the others trust";

    private final LinkHost host;
    private final int self;
    private final NetworkConfig config;
    private final Transports transports;
    private final List<Channel> channels;
    private final LinkLimit limit;
    private final SessionCloser sessions;

    /**
     * Makes the dialer of an agent.
     *
     * @param self NID of this node
     * @param channels the agent's links
     */
    Dialer(LinkHost host, int self, Transports transports, List<Channel> channels, LinkLimit limit,
           SessionCloser sessions) {
        this.host = host;
        this.self = self;
        this.config = host.config();
        this.transports = transports;
        this.channels = channels;
        this.limit = limit;
        this.sessions = sessions;
    }

    /** Dials a node, unless a dial is under way or the next dial is not due. */
    void dial(Connection connection) {
        final long now = host.nowNs();
        final DialAttempts attempts = connection.attempts();
        if (connection.dialing() != null || !attempts.isDue(now)) {
            return;
        }
        final String address = config.addresses().apply(connection.nid());
        if (address == null) {
            addressUnknown(connection, now);
            return;
        }
        attempts.begin(now, address, config);
        final String at = elsewhere(address, attempts.elsewhere());
        final Channel channel = Channel.dialing(host, connection, at);
        if (!limit.makeRoom(links -> links.dialed(channel))) {
            attempts.failed(Reason.UNREACHABLE, "there are as many links as there may be, linksMax="
                + config.linksMax() + ", and none is at rest");
            attempts.postponeTo(now + config.redialNs(1));      // there may be room for a moment
            limit.waitForRoom(connection);
            return;
        }
        connection.dialed(channel);
        attempts.goneElsewhere();
        channels.add(channel);
        attempt(connection, channel, () -> {
            final String name = transports.hostName(at);
            if (name == null) {
                channel.setLink(transports.of(at).connect(at, channel));
            } else {
                transports.lookUp(name, new HostWaiter(connection, channel, at));
            }
        });
    }

    /** A part of a dial. */
    @FunctionalInterface
    private interface Part {
        void run() throws IOException;
    }

    /** Connects a link to one address of its host when the addresses are known. */
    private final class HostWaiter implements Lookups.Waiter {
        private final Connection connection;
        private final Channel channel;
        private final String address;

        HostWaiter(Connection connection, Channel channel, String address) {
            this.connection = connection;
            this.channel = channel;
            this.address = address;
        }

        @Override
        public boolean isOver() {
            return channel.isClosed();
        }

        @Override
        public void found(List<InetAddress> addresses, @Nullable IOException why) {
            attempt(connection, channel, () -> {
                if (addresses.isEmpty()) {
                    throw new IOException("unknown host of " + address, why);
                }
                final InetAddress chosen = connection.attempts().hosts().choose(addresses);
                channel.setNumbered(chosen);
                final String numbered = transports.numbered(address, chosen);
                channel.setLink(transports.of(numbered).connect(numbered, channel));
            });
        }
    }

    private void attempt(Connection connection, Channel channel, Part part) {
        try {
            part.run();
        } catch (AddressException e) {
            channel.fail(e);
            if (!hasEstablishedSession(connection)) {
                connection.attempts().failed(Reason.UNREACHABLE, FailureText.of(e));
                giveUp(connection);
            }
        } catch (IOException e) {
            channel.fail(e);
        } catch (RuntimeException e) {                          // the transport may be the application's
            channel.fail(new IOException("its transport has failed: " + e, e));
        }
    }

    /** Returns the address with another port; unchanged if the port is 0, or if the address has no port. */
    private static String elsewhere(String address, int port) {
        try {
            return port == 0 ? address : Ports.with(address, port);
        } catch (AddressException _) {
            return address;
        }
    }

    /** An established session waits for a dial by the other side; an unconfirmed session ends. */
    private void addressUnknown(Connection connection, long now) {
        connection.attempts().failed(Reason.UNREACHABLE, "its address is unknown");
        if (hasEstablishedSession(connection)) {
            connection.attempts().postponeTo(now + config.awayNs());
        } else {
            giveUp(connection);
        }
    }

    private static boolean hasEstablishedSession(Connection connection) {
        final Session session = connection.known();
        return session != null && session.isEstablished();
    }

    /** Called when a link carries a session: ends the dial of any other link. */
    void opened(Connection connection, Channel channel) {
        if (channel.isDialed()) {
            connection.attempts().hosts().reached();
        }
        connection.attempts().succeeded(host.nowNs());
        final Channel superseded = connection.dialSuperseded(channel);
        if (superseded != null) {
            superseded.fail(null);
        }
    }

    /** Called when a dial has failed, or was refused by the other side. */
    void failed(Connection connection, Channel channel, @Nullable IOException why) {
        final DialAttempts attempts = connection.attempts();
        final Refusal refusal = why instanceof RefusedException it ? it.reason() : null;
        if (refusal == Refusal.OTHER_LINK) {
            attempts.refusedByDialingPeer(host.nowNs());        // before the state is DOWN: a close reads both
        }
        final boolean isFollowed = why instanceof ElsewhereException named
            && attempts.follow(named.port(), host.nowNs()); // before the state is DOWN, too
        connection.dialFailed();
        if (isFollowed) {
            return;
        }
        final boolean hasNext = refusal != Refusal.OTHER_LINK && attempts.hosts().failed();
        if (hasNext) {
            attempts.next(host.nowNs());
        }
        final String at = "at " + channel.peer() + ": ";
        if (why == null) {
            attempts.failed(Reason.REFUSED,
                "it closes the link to " + channel.peer() + " while it greets: is that a Teff node?");
        } else if (why instanceof RefusedException it && it.isFinal() || isMisfitOfTls(why)) {
            misfit(connection, hasNext, at + FailureText.of(why) + (refusal == Refusal.PROOF ? secretHere()
                : why instanceof SSLException ? TLS_REMEDY : ""));
        } else if (refusal != null) {
            attempts.failed(isTaken(refusal) ? Reason.TAKEN : refusal.isOfMisfits() ? Reason.REFUSED
                : Reason.UNREACHABLE, at + FailureText.of(why));
        } else if (channel.hasConnected() && !(why instanceof SocketTimeoutException) || why instanceof SSLException) {
            attempts.failed(Reason.REFUSED, at + why);
        } else {
            attempts.noAnswer(at + why);
        }
        if (isTaken(refusal) || config.hasDrawnNid() && refusal == Refusal.NID) {
            giveUp(connection);                                 // another network, or another node, may be accepted
        }
        if (refusal == Refusal.TOO_MANY) {
            limit.waitForRoom(connection);
        }
    }

    /** Returns whether another process has the NID of this node, which this node has drawn by lot. */
    private boolean isTaken(@Nullable Refusal refusal) {
        return config.hasDrawnNid() && (refusal == Refusal.TAKEN || refusal == Refusal.OLDER);
    }

    /**
     * Records that the node cannot be reached before one of the nodes is configured anew. A session that has not begun
     * ends at once: messages that wait would wait in vain. An established session goes on, because the refusal may be
     * that of a foreign process.
     *
     * @param hasNext whether another address of the host is dialed next
     */
    private void misfit(Connection connection, boolean hasNext, String text) {
        connection.attempts().failed(Reason.MISFIT, text);
        if (!hasNext && !hasEstablishedSession(connection)) {
            giveUp(connection);
            connection.attempts().postponeTo(host.nowNs() + config.redialNs(MISFIT_DIALS));
        }
    }

    /** Returns this node's part of a refusal for the secret. The length tells a secret from a file with a line feed. */
    private String secretHere() {
        final int bytes = config.secret().length;
        return "; this node has " + (bytes == 0 ? "no secret" : "a secret of " + bytes + " bytes");
    }

    /** Returns whether TLS has ended the link, other than by a link that broke. */
    private static boolean isMisfitOfTls(IOException why) {
        return why instanceof SSLException
            && (!(why.getCause() instanceof IOException) || why.getCause() instanceof SSLException);
    }

    /** Returns whether a dial may still succeed; a dial that hangs must not exclude the peer's dial. */
    static boolean isAlive(Channel dial, long nowNs) {
        return nowNs - dial.heardNs() < ALIVE_NS;
    }

    /** Called when a link was lost after {@code lastedNs}. */
    void lost(Connection connection, long lastedNs) {
        connection.attempts().linkLost(lastedNs, host.nowNs(), self < connection.nid(), config);
    }

    /**
     * Returns whether a node has been dialed in vain for longer than the limit. A dial just answered by the node is
     * awaited: the reason of the answered dial is reported, instead of the failure of an earlier dial.
     */
    boolean isInVain(Connection connection, long nowNs) {
        final Channel dial = connection.dialing();
        return connection.attempts().isInVain(nowNs, config.reachNs())
            && (dial == null || !dial.hasConnected() || !isAlive(dial, nowNs));
    }

    /** Ends the session of an unreachable node with the latest failure. */
    void giveUp(Connection connection) {
        final Session session = connection.known();
        final DialAttempts attempts = connection.attempts();
        attempts.givenUp();
        final Channel dialing = connection.dialGivenUp();
        if (dialing != null) {
            dialing.fail(null);
        }
        if (session != null) {
            sessions.end(connection, session, attempts.reason(), attempts.failure());
        }
    }
}
