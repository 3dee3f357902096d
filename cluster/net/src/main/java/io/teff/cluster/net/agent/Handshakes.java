package io.teff.cluster.net.agent;

import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.event.SessionResumedEvent;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.DialerHandshake;
import io.teff.cluster.net.wire.Features;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.ListenerHandshake;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Which link stays and which session two nodes mean when they meet, on either side of a handshake: the session that
 * both know goes on, and else a new one begins. By the agent only. {@code docs/MESSAGING.md} has the table.
 *
 * <p><b>Which link.</b> Of two nodes that dial each other the one with the lower NID decides, by what comes first
 * there: the other's PROOF, or the CHALLENGE that it answers with its own. So one handshake is refused, or ended, and
 * the other one stays; unless that node's dial counts as dead while its PROOF is on its way, and each takes the
 * other's. Then no link is left, and both dial again.
 *
 * <p><b>Which session.</b> A side counts one as {@linkplain Session#isSure sure} when it knows that the other has it.
 * Until then it has sent and received nothing of it, so it can take any id. If one side is sure, the other has taken
 * its id; and it is sure, too, or has neither sent nor received anything, and offers mode 0 with that id. It takes no
 * other one in between: a PROOF that was said before counts no more, as a link has opened since its HELLO. So no
 * session ends because greetings cross, come late, or are lost.
 */
final class Handshakes {
    private final Agent node;
    private final Identity identity;
    private final byte[] secret;
    private final LinkLimit limit;
    private final AgentCounters counts;

    Handshakes(Agent node, Identity identity, LinkLimit limit) {
        this.node = node;
        this.identity = identity;
        this.secret = node.config().secret();
        this.limit = limit;
        this.counts = node.counts();
    }

    private Identity identity(Channel channel) {
        return channel.isChecked() ? identity.with(Features.CHECKSUMS) : identity;
    }

    // ---- dialing ----

    /** This node's side of the handshake of a link that it dials. */
    DialerHandshake dialing(Connection connection, Channel channel) {
        return new DialerHandshake(identity(channel), connection.nid, secret,
            challenge -> offer(connection, channel, challenge));
    }

    private static Greeting.Proof offer(Connection connection, Channel channel, Greeting.Challenge challenge)
        throws RefusedException {
        final Session session = connection.session();
        checkNotOlder(session, challenge.incarnation());
        final boolean isToResume = session.isSure() && session.isWith(challenge.incarnation());
        channel.setOffered(session, isToResume);
        return session.proof(false, isToResume);
    }

    /** What another process of a NID has begun ends only for one that has started later. */
    private static void checkNotOlder(Session session, long incarnation) throws RefusedException {
        if (session.isEstablished() && !session.isWith(incarnation) && !session.isOlderThan(incarnation)) {
            throw new RefusedException(Refusal.OLDER, true);
        }
    }

    /** Who was called has proved itself; the session that begins or goes on. */
    Session welcomed(Channel channel, DialerHandshake handshake) throws IOException {
        final Connection connection = node.connection(handshake.peer().nid());
        final Greeting.Proof welcome = handshake.welcome();
        Session session = channel.offered();
        if (session == null || session != connection.known()) {
            throw new IOException("the session that was offered has ended meanwhile");
        }
        if (!welcome.isResumed() && session.isSure()) {
            node.lose(connection, session, "the other node has started anew, or given the session up");
            session = connection.session();
            if (channel.isOfferedToResume()) {
                session.untell();
            }
        }
        session.setId(welcome.session());
        begin(connection, session, welcome, handshake.peer().incarnation());
        return session;
    }

    private void begin(Connection connection, Session session, Greeting.Proof proof, long incarnation)
        throws IOException {
        final boolean isResumed = session.isEstablished();
        if (!session.begin(incarnation, proof)) {
            node.lose(connection, session, "the other node has received " + proof.received());
            throw new ProtocolException("the streams cannot go on at " + proof.received());
        }
        count(connection, isResumed, proof.received());
    }

    private void count(Connection connection, boolean isResumed, long received) {
        if (isResumed) {
            counts.sessionsResumed.add(1);
            SessionResumedEvent.emit(identity.nid(), connection.nid, received);
        } else {
            counts.sessionsBegun.add(1);
        }
    }

    // ---- being called ----

    /** This node's side of the handshake of a link that has come in. */
    ListenerHandshake listening(Channel channel) {
        return new ListenerHandshake(identity(channel), secret, node.nonce(), channel);
    }

    /** Called for who has dialed and has proved nothing yet; why it is refused, or null. */
    @Nullable Refusal check(Channel channel, Greeting.Hello hello) {
        if (node.isClosing()) {
            return Refusal.CLOSING;
        }
        final Connection known = node.known(hello.nid());
        if (known == null) {
            return null;
        }
        channel.setLinksBefore(known.traffic.links.get());
        return dialThatStays(known) == null ? null : Refusal.OTHER_LINK;
    }

    /** This node's dial if it has the lower NID, while that lives: then it is the one that stays. */
    private @Nullable Channel dialThatStays(Connection known) {
        final Channel own = known.dialing;
        return own != null && identity.nid() < known.nid && node.dialer().isAlive(own) ? own : null;
    }

    /**
     * Whether there is another link than one whose PROOF has come: the lower NID's, which has said its own PROOF
     * first, or one that has opened since HELLO was taken, so that this one is left over.
     */
    private boolean isOtherLink(Connection known, Channel channel) {
        final Channel own = dialThatStays(known);
        return own != null && own.offered() != null || known.traffic.links.get() != channel.linksBefore();
    }

    /** Called once who has dialed has proved itself; the session that both mean. */
    Greeting.Proof welcome(Channel channel, Greeting.Hello hello, Greeting.Proof offered) throws RefusedException {
        final Connection known = node.known(hello.nid());
        if (known != null && isOtherLink(known, channel)) {
            throw new RefusedException(Refusal.OTHER_LINK, true);
        }
        final boolean isInstead = known != null && (known.channel != null || known.dialing != null);
        if (!limit.makeRoom(links -> links.proved(channel, isInstead))) {
            if (known != null) {
                limit.waitForRoom(known);
            }
            throw new RefusedException(Refusal.TOO_MANY, true);
        }
        final Connection connection = node.connection(hello.nid());
        Session session = connection.session();
        checkNotOlder(session, hello.incarnation());
        final boolean isSame = isSame(session, hello, offered);
        if (isSame && offered.isResumed()) {
            return session.proof(true, true);
        }
        if (session.isSure() && !(isSame && session.isUntouched())) {
            node.lose(connection, session, "the other node has begun a new one");
            session = connection.session();
        }
        if (!offered.isResumed()) {
            session.setId(offered.session());
        }
        return session.proof(true, false);
    }

    private static boolean isSame(Session session, Greeting.Hello hello, Greeting.Proof offered) {
        return session.isWith(hello.incarnation()) && session.id() == offered.session();
    }

    /** Who has dialed has proved itself, and was told which session is meant. */
    Session proved(ListenerHandshake handshake) throws IOException {
        final Greeting.Hello hello = handshake.peer();
        final Connection connection = node.connection(hello.nid());
        final Session session = connection.session();
        final Greeting.Proof offered = handshake.offered();
        if (offered.isResumed() && isSame(session, hello, offered)) {
            begin(connection, session, offered, hello.incarnation());
        } else {
            count(connection, session.isEstablished(), 0);
            session.propose(hello.incarnation(), offered.isResumed() ? 0 : offered.limit());
        }
        return session;
    }
}
