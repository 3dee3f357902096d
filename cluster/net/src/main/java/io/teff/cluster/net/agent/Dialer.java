package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.transport.AddressException;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import java.io.IOException;
import java.net.SocketTimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the links that an agent's connections need, again and again in growing intervals, and says when a node counts
 * as unreachable. By the agent only.
 */
final class Dialer {
    /** So many short links in a row make the pause in front of the next one its longest. */
    private static final int SHORT_LINKS_MAX = 5;
    /** A dial lives while the other side has answered it, or it has begun, within so long: some round trips. */
    private static final long ALIVE_NS = 500_000_000;

    private final Agent node;
    private final NetworkConfig config;
    private final Transports transports;
    private final LinkLimit limit;

    Dialer(Agent node, Transports transports, LinkLimit limit) {
        this.node = node;
        this.config = node.config();
        this.transports = transports;
        this.limit = limit;
    }

    /** Dials a node, if it may now, and nobody does. */
    void dial(Connection connection) {
        final long now = node.nowNs();
        if (connection.dialing != null || now - connection.nextDialNs < 0) {
            return;
        }
        final String address = config.addresses().apply(connection.nid);
        if (address == null) {
            notKnown(connection, now);
            return;
        }
        if (connection.dials++ == 0) {
            connection.dialsSinceNs = now;
            connection.isThere = false;
            connection.setDialFailure(Reason.UNREACHABLE, Connection.NO_ANSWER + " at " + address);
        }
        connection.nextDialNs = now + config.redialNs(connection.dials);
        final Channel channel = Channel.dialing(node, connection, address);
        if (!limit.makeRoom(links -> links.dialed(channel))) {
            connection.setDialFailure(Reason.UNREACHABLE, "there are as many links as there may be, linksMax="
                + config.linksMax() + ", and none is at rest");
            connection.nextDialNs = now + config.redialNs(1);   // there may be room for a moment
            limit.waitForRoom(connection);
            return;
        }
        connection.dialing = channel;
        node.add(channel);
        try {
            channel.setLink(transports.of(address).connect(address, channel));
        } catch (AddressException e) {
            channel.fail(e);
            if (!goesOn(connection)) {
                connection.setDialFailure(Reason.UNREACHABLE, String.valueOf(e.getMessage()));
                giveUp(connection);
            }
        } catch (IOException e) {
            channel.fail(e);
        } catch (RuntimeException e) {                          // of a transport, whoever has made it
            channel.fail(new IOException("its transport has failed: " + e, e));
        }
    }

    /** A session that goes on waits for the other side to dial. */
    private void notKnown(Connection connection, long now) {
        connection.setDialFailure(Reason.UNREACHABLE, "nobody knows where it is");
        if (goesOn(connection)) {
            connection.nextDialNs = now + config.awayNs();
        } else {
            giveUp(connection);
        }
    }

    private static boolean goesOn(Connection connection) {
        final Session session = connection.known();
        return session != null && session.isEstablished();
    }

    /** A link carries a session: no other one is needed. */
    void opened(Connection connection, Channel channel) {
        connection.dials = 0;
        connection.setDialFailure(Reason.UNREACHABLE, Connection.NO_ANSWER);
        connection.nextDialNs = node.nowNs();
        final Channel other = connection.dialing;
        connection.dialing = null;
        if (other != null && other != channel) {
            other.fail(null);
        }
    }

    /**
     * A dial has failed. Who has refused it because it dials itself is there, and has as long again for that, but once:
     * a refusal proves nothing.
     */
    void failed(Connection connection, Channel channel, @Nullable IOException why) {
        final Refusal refusal = why instanceof RefusedException it ? it.reason() : null;
        if (refusal == Refusal.OTHER_LINK && !connection.isThere) {
            connection.isThere = true;                          // before it is not dialed any more: a close looks
            connection.dialsSinceNs = node.nowNs();
        }
        connection.dialing = null;
        final String at = "at " + channel.peer() + ": ";
        if (why == null) {
            connection.setDialFailure(Reason.REFUSED,
                "it closes the link to " + channel.peer() + " while it greets: another secret, or TLS?");
        } else if (refusal != null) {
            connection.setDialFailure(refusal.isOfMisfits() ? Reason.REFUSED : Reason.UNREACHABLE,
                at + why.getMessage());
        } else if (channel.hasConnected() && !(why instanceof SocketTimeoutException) || why instanceof SSLException) {
            connection.setDialFailure(Reason.REFUSED, at + why);
        } else {
            connection.setDialFailure(Reason.UNREACHABLE, Connection.NO_ANSWER + ' ' + at + why);
        }
        if (refusal == Refusal.TOO_MANY) {
            limit.waitForRoom(connection);
        }
    }

    /** Whether a dial may still come to something: one that hangs must not keep the other side's out. */
    boolean isAlive(Channel dial) {
        return node.nowNs() - dial.heardNs() < ALIVE_NS;
    }

    /** A link is gone that has lasted so long: the next one is dialed later if links end as soon as they begin. */
    void lost(Connection connection, long lastedNs) {
        connection.shortLinks = lastedNs < config.steadyNs() ? connection.shortLinks + 1 : 0;
        connection.nextDialNs = node.nowNs()
            + (node.nid() < connection.nid && connection.shortLinks <= 1 ? 0 : pauseNs(connection));
    }

    /** Longer where links end as soon as they begin. */
    private long pauseNs(Connection connection) {
        return config.redialNs(Math.clamp(connection.shortLinks, 1, SHORT_LINKS_MAX));
    }

    /** A session has ended: the next one is dialed soon, has all the time that there is, and its own failures. */
    void begin(Connection connection) {
        final long soonNs = node.nowNs() + pauseNs(connection);
        connection.nextDialNs = connection.nextDialNs - soonNs > 0 ? soonNs : connection.nextDialNs;
        connection.dials = 0;
        connection.setDialFailure(Reason.UNREACHABLE, Connection.NO_ANSWER);
    }

    /** Whether a node that was never reached has been dialed for too long. */
    boolean isInVain(Connection connection, long now) {
        return connection.dials > 0 && now - connection.dialsSinceNs > config.reachNs();
    }

    /** A node cannot be reached, for the reason that was found last: its session ends. */
    void giveUp(Connection connection) {
        final Session session = connection.known();
        final Channel dialing = connection.dialing;
        connection.dials = 0;
        connection.dialing = null;
        if (dialing != null) {
            dialing.fail(null);
        }
        if (session != null) {
            node.end(session, connection.dialReason, connection.dialFailure);
        }
    }
}
