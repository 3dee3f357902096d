package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.AcceptedKeys;
import io.teff.cluster.net.config.CertificateName;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.event.SessionResumedEvent;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.Caller;
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
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Decides which link stays when two nodes greet each other, and which session the link carries, on both sides of a
 * handshake: the session known to both sides continues. If no session is known to both sides, a new session begins. By
 * the agent only. {@code docs/MESSAGING.md} has the table.
 *
 * <p><b>Link.</b> If two nodes dial each other, the node with the lower NID decides by the first arrival: either the
 * PROOF of the other node, or the CHALLENGE to be answered with the lower node's own PROOF. So one handshake is refused
 * or ended, and the other handshake completes. One exception exists: if the lower node's dial counts as dead while the
 * PROOF of the dial is on its way, each side takes the link of the other side. Then no link is left, and both dial
 * again.
 *
 * <p><b>Session.</b> A session is {@linkplain Session#isSure sure} at a side as soon as this side knows that the other
 * side has the session. Until then the side has sent and received nothing of the session, so the side can accept any
 * id. If a session is sure at one side, the other side has accepted the session's id; the session is sure at the other
 * side as well, or the other side has neither sent nor received anything and offers mode 0 with the accepted id. The
 * other side accepts no second id in between: a PROOF sent earlier does not count, because a link has opened since the
 * HELLO of the earlier PROOF. So no session ends because greetings cross, arrive late, or are lost.
 */
final class Handshakes implements Greeter {
    private final LinkHost host;
    private final Identity identity;
    private final OwnCluster cluster;
    private final RandomGenerator random;
    private final ConnectionTable connections;
    private final SessionCloser sessions;
    private final LinkLimit limit;
    private final AgentCounters counters;
    private final BooleanSupplier isClosing;

    /**
     * Makes the decisions of an agent.
     *
     * @param isClosing whether links are refused, as the network closes
     */
    Handshakes(LinkHost host, Identity identity, OwnCluster cluster, RandomGenerator random,
               ConnectionTable connections, SessionCloser sessions, LinkLimit limit, AgentCounters counters,
               BooleanSupplier isClosing) {
        this.host = host;
        this.identity = identity;
        this.cluster = cluster;
        this.random = random;
        this.connections = connections;
        this.sessions = sessions;
        this.limit = limit;
        this.counters = counters;
        this.isClosing = isClosing;
    }

    @Override
    public byte[] nonce() {
        final byte[] nonce = new byte[Greeting.NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    @Override
    public ClusterId cluster() {
        return cluster.id();
    }

    private Identity identity(Channel channel) {
        final Identity now = identity.in(cluster.id());
        return channel.isChecked() ? now.with(Features.CHECKSUMS) : now;
    }

    /**
     * Checks that the certificate of the other side has the name that the NID of the other side needs. Each link is
     * checked before its secret, so a session never continues over a link without this name.
     */
    private void checkCertificate(Channel channel, int nid) throws RefusedException {
        final CertificateName name = host.config().certificateNames().apply(nid);
        final String fault = name == null ? null : name.fault(nid, channel.certificate());
        if (fault != null) {
            throw RefusedException.ofCertificate(fault);
        }
    }

    // ---- dialing ----

    @Override
    public DialerHandshake dialing(Connection connection, Channel channel) {
        return new DialerHandshake(identity(channel), connection.nid(), host.config().secret(),
            challenge -> offer(connection, channel, challenge));
    }

    private Greeting.Proof offer(Connection connection, Channel channel, Greeting.Challenge challenge)
        throws RefusedException {
        identity(channel).checkCalled(challenge.cluster());     // this node may have learned its cluster since HELLO
        checkCertificate(channel, challenge.nid());
        channel.setCluster(challenge.cluster());
        final Session session = connection.session();
        checkNotOlder(session, challenge.incarnation());
        final boolean isToResume = session.isSure() && session.isWith(challenge.incarnation());
        channel.setOffered(session, isToResume);
        return session.proof(false, isToResume);
    }

    /** Checks that the dialer's process is at least as young as the process of the current session. */
    private static void checkNotOlder(Session session, long incarnation) throws RefusedException {
        if (session.isEstablished() && !session.isWith(incarnation) && !session.isOlderThan(incarnation)) {
            throw new RefusedException(Refusal.OLDER, true);
        }
    }

    @Override
    public Session welcomed(Channel channel, DialerHandshake handshake) throws IOException {
        final Connection connection = connections.of(handshake.peer().nid());
        final Greeting.Proof welcome = handshake.welcome();
        if (cluster.isAdopting() && handshake.peer().cluster().isKnown()) {
            host.learn(handshake.peer().cluster());
        }
        Session session = channel.offered();
        if (session == null || session != connection.known()) {
            throw new IOException("the session that was offered has ended meanwhile");
        }
        if (!welcome.isResumed() && session.isSure()) {
            sessions.lose(connection, session, "the other node has started anew, or given the session up");
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
            sessions.lose(connection, session, "the other node has received " + proof.received());
            throw new ProtocolException("the streams cannot go on at " + proof.received());
        }
        count(connection, isResumed, proof.received());
    }

    private void count(Connection connection, boolean isResumed, long received) {
        if (isResumed) {
            counters.sessionsResumed.add(1);
            SessionResumedEvent.emit(identity.nid(), connection.nid(), received);
        } else {
            counters.sessionsBegun.add(1);
        }
    }

    // ---- being called ----

    @Override
    public ListenerHandshake listening(Channel channel) {
        return new ListenerHandshake(identity(channel), new ChannelKeys(channel, host.config().admission()), nonce(),
            channel);
    }

    /** The secrets for an accepted link, and what its dialer may do by the proven secret. */
    private static final class ChannelKeys implements ListenerHandshake.Keys {
        private final Channel channel;
        private final AcceptedKeys accepted;
        private List<AcceptedKeys.Key> keys = List.of();

        ChannelKeys(Channel channel, AcceptedKeys accepted) {
            this.channel = channel;
            this.accepted = accepted;
        }

        @Override
        public List<byte[]> secrets() {
            keys = accepted.keys(channel.certificate());
            return keys.stream().map(AcceptedKeys.Key::secret).toList();
        }

        @Override
        public boolean proved(int key, int nid) {
            final Caller caller = keys.get(key).caller();
            channel.setCaller(caller);
            return caller == null || caller.mayHave(nid);
        }
    }

    @Override
    public @Nullable Refusal check(Channel channel, Greeting.Hello hello) throws RefusedException {
        channel.setCluster(hello.cluster());
        checkCertificate(channel, hello.nid());
        if (isClosing.getAsBoolean()) {
            return Refusal.CLOSING;
        }
        final Connection known = connections.known(hello.nid());
        if (known == null) {
            return null;
        }
        if ((hello.features() & Features.DRAWN) != 0 && isTaken(known, hello.incarnation())) {
            return Refusal.TAKEN;
        }
        channel.setLinksBefore(known.counters().links.get());
        return dialThatStays(known) == null ? null : Refusal.OTHER_LINK;
    }

    /** Returns whether another process than the caller has a link under the caller's NID. */
    private static boolean isTaken(Connection known, long incarnation) {
        final Session session = known.known();
        return known.channel() != null && session != null && session.isEstablished() && !session.isWith(incarnation);
    }

    /**
     * Returns this node's dial if this node has the lower NID and the dial is alive: in this case the dial is the link
     * that stays.
     */
    private @Nullable Channel dialThatStays(Connection known) {
        final Channel own = known.dialing();
        return own != null && identity.nid() < known.nid() && Dialer.isAlive(own, host.nowNs()) ? own : null;
    }

    /**
     * Returns whether the link whose PROOF has arrived is superfluous because of another link: a dial of this node, if
     * this node has the lower NID and has sent its own PROOF first, or a link opened since the HELLO of the arrived
     * PROOF.
     */
    private boolean isOtherLink(Connection known, Channel channel) {
        final Channel own = dialThatStays(known);
        return own != null && own.offered() != null || known.counters().links.get() != channel.linksBefore();
    }

    @Override
    public Greeting.Proof welcome(Channel channel, Greeting.Hello hello, Greeting.Proof offered)
        throws RefusedException {
        final Connection known = connections.known(hello.nid());
        if (known != null && isOtherLink(known, channel)) {
            throw new RefusedException(Refusal.OTHER_LINK, true);
        }
        final boolean isInstead = known != null && (known.channel() != null || known.dialing() != null);
        if (!limit.makeRoom(links -> links.proved(channel, isInstead))) {
            if (known != null) {
                limit.waitForRoom(known);
            }
            throw new RefusedException(Refusal.TOO_MANY, true);
        }
        final Connection connection = connections.of(hello.nid());
        Session session = connection.session();
        checkNotOlder(session, hello.incarnation());
        final boolean isOfCaller = session.isOf(channel.caller());
        if (!isOfCaller && connection.channel() != null) {
            throw new RefusedException(Refusal.TAKEN, true);    // another principal has a link with this NID
        }
        final boolean isSame = isOfCaller && isSame(session, hello, offered);
        if (isSame && offered.isResumed()) {
            return session.proof(true, true);
        }
        if (session.isSure() && !(isSame && session.isUntouched())) {
            sessions.lose(connection, session, "the other node has begun a new one");
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

    @Override
    public Session proved(Channel channel, ListenerHandshake handshake) throws IOException {
        final Greeting.Hello hello = handshake.peer();
        final Connection connection = connections.of(hello.nid());
        final Session session = connection.session();
        final Greeting.Proof offered = handshake.offered();
        session.setCaller(channel.caller());
        if (offered.isResumed() && isSame(session, hello, offered)) {
            begin(connection, session, offered, hello.incarnation());
        } else {
            count(connection, session.isEstablished(), 0);
            session.propose(hello.incarnation(), offered.isResumed() ? 0 : offered.limit());
        }
        return session;
    }
}
