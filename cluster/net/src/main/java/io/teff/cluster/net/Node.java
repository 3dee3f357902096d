package io.teff.cluster.net;

import io.teff.cluster.net.NetworkException.Reason;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.wire.FrameChecker;
import io.teff.cluster.net.wire.Greeting;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a network: everything but serialization and handlers happens in its {@link #doWork}, which never waits.
 * It is given a clock, random numbers and transports, so a simulator can drive many of them in one thread.
 *
 * <p>A network may have several, each with its own transports, and with the connections of its own NIDs. The first
 * accepts links; one whose HELLO names another's NID {@linkplain Moves moves} there, before anything is answered.
 *
 * <p>Other threads reach it by {@link #arouse} only, other agents also by {@link #post}. Where one of them would wake
 * the agent and wait, it may {@link #flush} a connection itself: whoever has the duty is the agent, whose thread
 * gives it away only while it waits for something to do. A connection with something to
 * do is in the list of active ones; one that waits for its link or for credit is not, though its senders need not tell
 * the agent either: the event that it waits for makes it active.
 */
final class Node {
    private static final int QUEUE_CHUNK = 1 << 10;
    private static final int TASKS_CHUNK = 1 << 6;
    /** So many signs of life are missing when a link counts as lost. */
    private static final int SIGNS = 4;
    /** A link of which nothing was heard for this part of the time until it counts as lost is told to be late. */
    private static final int DELAY = 2;
    /** So much rarer is a tick when nothing is to be done. */
    private static final int RESTING = 10;

    private final NetworkConfig config;
    private final Clock clock;
    private final RandomGenerator random;
    private final Transports transports;
    private final Identity identity;
    private final Dispatcher dispatcher;
    private final Requests requests;
    private final RingPool rings;
    private final Counts counts;
    private final Agents agents;
    private final LinkLimit limit;
    private final Handshakes handshakes;
    private final Dialer dialer;
    private final Moves moves;
    private final Notifier notifier;
    private final ReentrantLock duty = new ReentrantLock();
    private final FrameChecker checker = new FrameChecker();
    private final Map<Integer, Connection> connections = new ConcurrentHashMap<>();
    private final MpscUnboundedAtomicArrayQueue<Connection> aroused = new MpscUnboundedAtomicArrayQueue<>(QUEUE_CHUNK);
    /** What other agents ask for: links that are to be this one's, or to end. */
    private final MpscUnboundedAtomicArrayQueue<Runnable> tasks = new MpscUnboundedAtomicArrayQueue<>(TASKS_CHUNK);

    // ---- the agent's ----

    private final List<Connection> active = new ArrayList<>();
    /** Those with a link, or that wait for one: what rests is not here. */
    private final List<Connection> watched = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    /** Sessions whose rings somebody may still write to. */
    private final List<Session> ended = new ArrayList<>();
    private long nextTickNs;
    /** Read by threads that begin sessions. */
    private volatile boolean isClosing;

    Node(NetworkConfig config, Clock clock, RandomGenerator random, Transports transports,
         Identity identity, Dispatcher dispatcher, Requests requests, RingPool rings, Counts counts, Agents agents) {
        this.config = config;
        this.clock = clock;
        this.random = random;
        this.transports = transports;
        this.identity = identity;
        this.dispatcher = dispatcher;
        this.requests = requests;
        this.rings = rings;
        this.counts = counts;
        this.agents = agents;
        this.nextTickNs = clock.nowNs();
        this.limit = new LinkLimit(this, agents, requests);
        this.handshakes = new Handshakes(this, identity, limit);
        this.dialer = new Dialer(this, transports, limit);
        this.moves = new Moves(this, agents, transports);
        this.notifier = new Notifier(identity.nid(), config.listener(), counts);
    }

    // ---- what its parts need ----

    NetworkConfig config() {
        return config;
    }

    long nowNs() {
        return clock.nowNs();
    }

    Dispatcher dispatcher() {
        return dispatcher;
    }

    RingPool rings() {
        return rings;
    }

    FrameChecker checker() {
        return checker;
    }

    Counts counts() {
        return counts;
    }

    int nid() {
        return identity.nid();
    }

    LinkLimit limit() {
        return limit;
    }

    Handshakes handshakes() {
        return handshakes;
    }

    Dialer dialer() {
        return dialer;
    }

    Moves moves() {
        return moves;
    }

    byte[] nonce() {
        final byte[] nonce = new byte[Greeting.NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    long randomLong() {
        return random.nextLong();
    }

    /** Its links, in whatever state. */
    List<Channel> channels() {
        return channels;
    }

    /** It has one more link. */
    void add(Channel channel) {
        channels.add(channel);
    }

    /** A link is not its own any more. */
    void remove(Channel channel) {
        channels.remove(channel);
    }

    /** What is known of a node. Any thread. */
    Connection connection(int nid) {
        final Connection known = connections.get(nid);
        return known != null ? known : connections.computeIfAbsent(nid, it -> new Connection(this, it));
    }

    /** What is known of a node, or null. Any thread. */
    @Nullable Connection known(int nid) {
        return connections.get(nid);
    }

    Iterable<Connection> connections() {
        return connections.values();
    }

    /** Whether sessions end that begin now. Any thread. */
    boolean isClosing() {
        return isClosing;
    }

    /** A connection has something to do. Any thread. */
    void arouse(Connection connection) {
        aroused.add(connection);
        wakeUp();
    }

    /** Ends its sleep, now or the next. Any thread. */
    void wakeUp() {
        transports.wakeUp();
    }

    /** Is to be done by this agent. Any thread. */
    void post(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    /**
     * Sends what a connection has, in place of the agent, while that sleeps. Any thread.
     *
     * @return false if the agent is to look
     */
    boolean flush(Connection connection) {
        if (duty.isHeldByCurrentThread() || !transports.areForSenders() || duty.hasQueuedThreads() || !duty.tryLock()) {
            return false;                                       // nor where the agent waits for another one
        }
        try {
            final Channel channel = connection.channel;
            if (channel == null) {
                return false;
            }
            connection.usedNs = nowNs();
            channel.flush();
            return connection.handBack() && !channel.isBlocked();
        } finally {
            duty.unlock();
        }
    }

    /** From now on the calling thread does what is to be done, but while it {@linkplain #await waits}. */
    void begin() {
        duty.lock();
    }

    /** It does not any more. */
    void leave() {
        duty.unlock();
    }

    // ---- duty cycle ----

    /** Does what can be done now; how much that was. */
    int doWork() {
        int work = transports.poll() + moves.moveAll() + runTasks();
        for (Connection it = aroused.poll(); it != null; it = aroused.poll()) {
            activate(it);
            work++;
        }
        for (int i = 0; i < active.size(); i++) {
            work += work(active.get(i));
        }
        keepActive();
        final long now = nowNs();
        if (now - nextTickNs >= 0) {
            final long moreNs = tick(now);
            final boolean isInHaste = !active.isEmpty() || isForRequests() && requests.count() > 0;
            nextTickNs = now + Math.clamp(isInHaste ? 0 : moreNs, config.tickNs(), config.tickNs() * RESTING);
        }
        return work;
    }

    /** Without {@code removeIf}, which allocates when it removes something, and that is before each sleep. */
    private void keepActive() {
        int kept = 0;
        for (int i = 0; i < active.size(); i++) {
            final Connection it = active.get(i);
            if (it.isActive) {
                active.set(kept, it);
                kept++;
            }
        }
        while (active.size() > kept) {
            active.removeLast();
        }
    }

    private int runTasks() {
        int work = 0;
        for (Runnable it = tasks.poll(); it != null; it = tasks.poll()) {
            it.run();
            work++;
        }
        return work;
    }

    /** One agent looks for requests whose time is over, whoever has their connections. */
    private boolean isForRequests() {
        return agents.first() == this;
    }

    /** Sleeps until something happens, or there is something to do anyway, or so long. */
    void await(long mostNs) {
        final long ns = Math.min(idleNs(), mostNs);
        leave();
        try {
            transports.await(ns);
        } finally {
            begin();
        }
    }

    /** How long nothing will be to do unless something happens. */
    long idleNs() {
        return active.isEmpty() ? Math.max(nextTickNs - nowNs(), 0) : 0;
    }

    /** Whether something is on its way to a node that can be reached, or was a while ago. Any thread. */
    boolean isSending() {
        for (Connection it : connections.values()) {
            final Session session = it.known();
            // a link that is dialed is the channel, or made by the other side, before it is not dialed any more
            if (session != null && (it.dialing != null || it.channel != null || it.isThere || session.isEstablished())
                && session.isSending()) {
                return true;
            }
        }
        return false;
    }

    /** The agent looks at a connection in each cycle from now on, while it has something to do. */
    void activate(Connection connection) {
        connection.setKnown();
        if (!connection.isActive) {
            connection.isActive = true;
            active.add(connection);
        }
        if (!connection.isWatched) {
            connection.isWatched = true;
            watched.add(connection);
        }
    }

    private int work(Connection connection) {
        final Channel channel = connection.channel;
        final Session session = connection.known();
        if (channel == null || session == null) {
            if (session != null && !isClosing && !isResting(connection, session)) {
                dialer.dial(connection);
            }
            connection.isActive = false;                        // until there is a link
            return 0;
        }
        session.putLate();
        if (session.out.hasUnsent()) {
            connection.usedNs = nowNs();
        }
        final int work = channel.flush();
        if (work > 0) {
            return work;
        }
        if (channel.isBlocked()) {
            connection.isActive = false;                        // until the link takes more
        } else if (channel.isStalled()) {
            connection.isActive = !connection.stall();          // until the other side takes more
        } else if (!session.out.hasUnsent() && connection.pause()) {
            connection.isActive = false;
        }
        return work;
    }

    // ---- rest ----

    /** Whether a connection rests on, as there is nothing to send; else it waits for a link from now on. */
    private boolean isResting(Connection connection, Session session) {
        if (!connection.isResting) {
            return false;
        }
        session.putLate();
        if (session.out.isEmpty() && !session.hasLate()) {
            session.out.rest();
            session.in.rest();
            if (connection.forget()) {
                return true;
            }
        }
        setResting(connection, false);
        connection.awaySinceNs = nowNs();
        return false;
    }

    private void setResting(Connection connection, boolean isNow) {
        if (connection.isResting != isNow) {
            counts.connectionsResting.add(isNow ? 1 : -1);
        }
        connection.isResting = isNow;
    }

    // ---- links that begin and end ----

    /** A link has come in. Of too many that have proved nothing the oldest goes: who is honest takes less time. */
    LinkEvents accepted(Link link, String listenedAt) {
        final Channel channel = Channel.called(this, link, listenedAt);
        channels.add(channel);
        final Channel oldest = agents.links().came(channel);
        if (isClosing) {
            channel.fail(new RefusedException(Refusal.CLOSING, true));
        } else if (oldest != null && oldest.node() == this) {
            end(oldest);
        } else if (oldest != null) {
            oldest.node().post(() -> end(oldest));
        }
        return channel;
    }

    private static void end(Channel oldest) {
        if (!oldest.hasOpened()) {
            oldest.fail(new IOException("too many links have not greeted"));
        }
    }

    /** A link carries a session from now on. */
    void opened(Channel channel, Session session) {
        final Connection connection = session.connection;
        final Channel before = connection.channel;
        connection.channel = channel;
        notifier.made(connection, channel.peer());
        counts.linksOpen.add(before == null ? 1 : 0);
        setResting(connection, false);
        if (before != null) {
            before.fail(null);
        }
        dialer.opened(connection, channel);
        notifier.up(connection);
        activate(connection);
    }

    /** A link is gone. */
    void ended(Channel channel, @Nullable IOException why) {
        channels.remove(channel);
        agents.links().ended(channel);
        final Connection connection = channel.connection();
        if (why instanceof RefusedException it) {
            notifier.refused(channel, it);
        } else if (!channel.hasOpened()) {
            notifier.failed(channel, why);
        }
        if (connection == null) {
            return;
        }
        if (connection.dialing == channel) {
            dialer.failed(connection, channel, why);
        }
        if (connection.channel == channel) {
            final boolean isAtRest = channel.isResting() && connection.known() != null;
            setResting(connection, isAtRest);                   // first, or who looks in between would see it away
            connection.channel = null;
            counts.linksOpen.add(-1);
            connection.awaySinceNs = nowNs();
            dialer.lost(connection, nowNs() - channel.sinceNs);
            if (isAtRest) {
                notifier.resting(connection, channel.isOwnRest());
            } else {                                            // with a session that has ended nothing waits
                notifier.away(connection, why, connection.known() != null && !isClosing);
            }
            activate(connection);
        }
    }

    /** A session cannot go on. */
    void lose(Connection connection, Session session, String what) {
        if (session.out.isEnded()) {
            return;
        }
        final Channel channel = connection.channel;
        notifier.losing();
        end(session, Reason.LOST, what);
        if (channel != null) {
            channel.fail(null);
        }
    }

    /** A session ends, and its requests for a reason. */
    void end(Session session, Reason reason, String what) {
        final Connection connection = session.connection;
        setResting(connection, false);
        connection.traffic.messagesBefore.add(session.out.messages());
        connection.lastEnd = new NetworkException(reason, connection.nid, what);
        session.out.end();
        ended.add(session);
        requests.fail(session, reason, what);
        notifier.lost(session, what, reason == Reason.LOST);
        dialer.begin(connection);
        connection.ended(session);
    }

    // ---- time ----

    /** After how many nanoseconds there is more to be done, if that is known. */
    private long tick(long now) {
        long moreNs = Long.MAX_VALUE;
        if (isForRequests()) {
            requests.expire(now);
            moreNs = rings.trim();
        }
        for (int i = channels.size() - 1; i >= 0; i--) {
            final Channel channel = channels.get(i);
            if (!channel.isOpen() && now - channel.sinceNs > config.greetingNs()) {
                channel.fail(new SocketTimeoutException("it has not greeted in time"));
            } else if (channel.isTorn()) {
                channel.fail(new IOException("a thread has ended in the middle of a write"));
            } else if (channel.isOpen() && now - channel.heardNs() > config.silenceNs()) {
                channel.fail(new IOException("nothing was heard of it"));
            } else if (channel.isStuck(config.silenceNs())) {
                channel.fail(new IOException("a frame does not come to its end"));
            } else {
                channel.sayAfter(config.silenceNs() / SIGNS);
                if (channel.isDelayed(config.silenceNs() / DELAY)) {
                    notifier.delayed(channel.saidNid(), now - channel.heardNs());
                }
            }
        }
        for (int i = 0; i < watched.size(); i++) {
            tick(watched.get(i), now);
        }
        watched.removeIf(it -> !it.isWatched);
        ended.removeIf(it -> it.out.giveBack());
        return moreNs;
    }

    private void tick(Connection connection, long now) {
        final Session session = connection.known();
        if (session == null || connection.isResting) {
            unwatch(connection);
            return;
        }
        if (connection.channel == null) {
            if (session.isEstablished() && now - connection.awaySinceNs > config.awayNs()) {
                lose(connection, session, "no new link came in time: " + connection.dialFailure);
            } else if (!session.isEstablished() && dialer.isInVain(connection, now)) {
                dialer.giveUp(connection);
            } else if (session.out.hasUnsent() || session.isEstablished()) {
                activate(connection);                           // dials again when it may
            }
            return;
        }
        final Channel channel = connection.channel;
        if (session.hasProgress() || session.hasLate()
            || session.out.hasUnsent() && !channel.isBlocked() && !channel.isStalled()) {
            activate(connection);                               // also where who has put something could not tell
        }
        if (session.hasReceived()) {
            connection.usedNs = now;
        } else if (now - connection.usedNs > config.restNs()) {
            session.out.rest();
            session.in.rest();
            connection.channel.rest();
            connection.usedNs = now;
        }
    }

    /** Nobody looks at a connection until something is put or comes. */
    private void unwatch(Connection connection) {
        if (connection.forget()) {
            connection.isWatched = connection.isActive;
        } else {
            activate(connection);
        }
    }

    // ---- the end ----

    /** Ends everything, with a goodbye. */
    void close() {
        isClosing = true;
        try {
            runTasks();
            for (Channel channel : List.copyOf(channels)) {
                channel.close();
            }
            for (Connection it : connections.values()) {
                final Session session = it.known();
                if (session != null) {
                    end(session, Reason.CLOSED, "the network was closed");
                }
            }
        } finally {                                             // whatever has failed: somebody waits
            try {
                requests.fail(null, Reason.CLOSED, "the network was closed");
            } finally {
                transports.close();
            }
        }
    }

    // ---- checking ----

    /** How many sessions may have rings: those that go on, and those that have ended where somebody may still write. */
    int sessionCount() {
        int count = ended.size();
        for (Connection it : connections.values()) {
            count += it.known() == null ? 0 : 1;
        }
        return count;
    }

    /** Memory of the rings of all these. */
    long ringBytes() {
        long bytes = 0;
        for (Connection it : connections.values()) {
            final Session its = it.known();
            bytes += its == null ? 0 : its.out.ringBytes();
        }
        for (Session it : ended) {
            bytes += it.out.ringBytes();
        }
        return bytes;
    }

    /** Audits its connections, and recomputes its lists and counts of them and of links; by the agent, in between. */
    void audit() {
        int open = 0;
        int resting = 0;
        for (Connection it : connections.values()) {
            it.audit();
            open += it.channel == null ? 0 : 1;
            resting += it.isResting ? 1 : 0;
            if (it.isActive != active.contains(it) || it.isWatched != watched.contains(it)
                || it.channel != null && !channels.contains(it.channel)
                || it.dialing != null && !channels.contains(it.dialing)) {
                throw new IllegalStateException("node: connection to " + it.nid + " is active " + it.isActive
                    + " and watched " + it.isWatched + ", or its link or dial is none of " + channels.size());
            }
        }
        if (open != counts.linksOpen.get() || resting != counts.connectionsResting.get()) {
            throw new IllegalStateException("node: " + counts.linksOpen.get() + " links open, counted " + open + "; "
                + counts.connectionsResting.get() + " resting, counted " + resting);
        }
        for (Channel it : channels) {
            if (it.isClosed() || it.node() != this || !agents.links().has(it)) {
                throw new IllegalStateException("node: " + it + " has ended, is another's or not counted");
            }
        }
    }
}
