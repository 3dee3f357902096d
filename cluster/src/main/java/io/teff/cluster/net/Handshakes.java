package io.teff.cluster.net;

import io.teff.cluster.net.event.SessionResumedEvent;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.ListenerHandshake;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Which session two nodes mean when they meet, on either side of a handshake: the one that both know goes on, and else
 * a new one begins. By the agent only.
 */
final class Handshakes {
    private final Node node;
    private final Identity identity;
    private final byte[] secret;
    private final LinkLimit limit;
    private final Counts counts;

    Handshakes(Node node, Identity identity, LinkLimit limit) {
        this.node = node;
        this.identity = identity;
        this.secret = node.config().secret();
        this.limit = limit;
        this.counts = node.counts();
    }

    // ---- dialing ----

    /** This node's side of the handshake of a link that it dials. */
    DialerHandshake dialing(Connection connection) {
        return new DialerHandshake(identity, connection.nid, secret, challenge -> offer(connection, challenge));
    }

    private static Greeting.Proof offer(Connection connection, Greeting.Challenge challenge) {
        final Session session = connection.session();
        return session.proof(false, session.isWith(challenge.incarnation()));
    }

    /** Who was called has proved itself; the session that begins or goes on. */
    Session welcomed(DialerHandshake handshake) throws IOException {
        final Connection connection = node.connection(handshake.peer().nid());
        final Greeting.Proof welcome = handshake.welcome();
        Session session = connection.session();
        if (!welcome.isResumed() && session.isEstablished()) {
            node.lose(connection, session, "the other node has started anew, or given the session up");
            session = connection.session();
            session.untell();
        }
        session.setId(welcome.session());
        begin(connection, session, welcome, handshake.peer().incarnation(), true);
        return session;
    }

    private void begin(Connection connection, Session session, Greeting.Proof proof, long incarnation,
                       boolean isMeant) throws IOException {
        final boolean isResumed = session.isEstablished();
        if (!session.begin(incarnation, proof, isMeant)) {
            node.lose(connection, session, "the other node has received " + proof.received());
            throw new ProtocolException("the streams cannot go on at " + proof.received());
        }
        if (isResumed) {
            counts.sessionsResumed.add(1);
            SessionResumedEvent.emit(identity.nid(), connection.nid, proof.received());
        } else {
            counts.sessionsBegun.add(1);
        }
    }

    // ---- being called ----

    /** This node's side of the handshake of a link that has come in. */
    ListenerHandshake listening(ListenerHandshake.Host host) {
        return new ListenerHandshake(identity, secret, node.nonce(), host);
    }

    /** Called for who has dialed and has proved nothing yet; why it is refused, or null. */
    @Nullable Refusal check(Greeting.Hello hello) {
        if (node.isClosing()) {
            return Refusal.CLOSING;
        }
        final Connection known = node.known(hello.nid());
        final boolean isMine = known != null && known.dialing != null && identity.nid() < hello.nid();
        return isMine ? Refusal.OTHER_LINK : null;
    }

    /** Called once who has dialed has proved itself; the session that both mean. */
    Greeting.Proof welcome(Channel channel, Greeting.Hello hello, Greeting.Proof offered) throws RefusedException {
        final Connection known = node.known(hello.nid());
        final boolean isInstead = known != null && (known.channel != null || known.dialing != null);
        if (!limit.makeRoom(links -> links.proved(channel, isInstead))) {
            if (known != null) {
                limit.waitForRoom(known);
            }
            throw new RefusedException(Refusal.TOO_MANY, true);
        }
        final Connection connection = node.connection(hello.nid());
        Session session = connection.session();
        if (session.isEstablished() && !session.isWith(hello.incarnation())
            && !session.isOlderThan(hello.incarnation())) {
            throw new RefusedException(Refusal.OLDER, true);
        }
        final boolean isSame = session.isWith(hello.incarnation()) && session.id() == offered.session();
        if (isSame && offered.isResumed()) {
            return session.proof(true, true);
        }
        if (session.isEstablished() && !(isSame && session.isUntouched())) {
            node.lose(connection, session, "the other node has begun a new one");
            session = connection.session();
        }
        if (!offered.isResumed()) {
            session.setId(offered.session());
        }
        return session.proof(true, false);
    }

    /** Who has dialed has proved itself, and was told which session is meant. */
    Session proved(ListenerHandshake handshake) throws IOException {
        final Greeting.Hello hello = handshake.peer();
        final Connection connection = node.connection(hello.nid());
        final Session session = connection.session();
        final Greeting.Proof offered = handshake.offered();
        begin(connection, session, offered, hello.incarnation(),
            !offered.isResumed() || session.id() == offered.session());
        return session;
    }
}
