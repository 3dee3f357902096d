package io.teff.cluster.net.agent;

import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.stream.Dispatcher;
import io.teff.cluster.net.stream.PendingRequests;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.transport.Link;
import io.teff.cluster.net.transport.LinkEvents;
import io.teff.cluster.net.wire.ElsewhereException;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.FrameChecker;
import io.teff.cluster.net.wire.FrameInput;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.ProtocolException;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.random.RandomGenerator;
import org.jctools.queues.atomic.MpscUnboundedAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * An agent of a network: all work except serialization and handlers happens in {@link #doWork}, which never waits. An
 * agent receives a clock, random numbers and transports, so a simulator can drive many agents in one thread.
 *
 * <p>A network has one or more agents. Each agent has its own transports, and the connections of its own NIDs. The
 * first agent accepts links; a link whose HELLO names the NID of a second agent {@linkplain LinkTransfer moves} to the
 * second agent before any answer is sent.
 *
 * <p>Other threads reach the agent by {@link #arouse} only. Other agents use {@link #post} as well. A thread about to
 * wake the agent and then wait may {@link #flush} a connection itself: the thread with {@link #duty} acts as the agent,
 * and the agent's thread releases the duty only while waiting for work. A connection with work is in the list of active
 * connections. A connection waiting for a link or for credit is not in the list, although its senders need not wake the
 * agent: the awaited event makes the connection active.
 */
public final class Agent implements LinkHost, Connection.Host {
    private static final int QUEUE_CHUNK = 1 << 10;
    private static final int TASKS_CHUNK = 1 << 6;
    /** Keep-alives per time of silence: a link is lost when this many are missing. */
    private static final int KEEP_ALIVES = 4;
    /** A link is reported as delayed after this part of the silence after which the link is lost. */
    private static final int DELAY = 2;
    /** Factor by which ticks are rarer when there is no work. */
    private static final int RESTING = 10;

    private final NetworkConfig config;
    private final Clock clock;
    private final RandomGenerator random;
    private final Transports transports;
    private final Dispatcher dispatcher;
    private final PendingRequests requests;
    private final RingPool rings;
    private final AgentCounters counters;
    private final Agents agents;
    private final ConnectionTable connections;
    private final SessionCloser sessions;
    private final LinkLimit limit;
    private final Handshakes handshakes;
    private final Dialer dialer;
    private final LinkTransfer transfer;
    private final Notifier notifier;
    private final ReentrantLock duty = new ReentrantLock();
    private final FrameChecker checker = new FrameChecker();
    private final MpscUnboundedAtomicArrayQueue<Connection> aroused = new MpscUnboundedAtomicArrayQueue<>(QUEUE_CHUNK);
    /** Tasks from other agents: links to adopt from another agent, or to close. */
    private final MpscUnboundedAtomicArrayQueue<Runnable> tasks = new MpscUnboundedAtomicArrayQueue<>(TASKS_CHUNK);

    // ---- by the agent only ----

    private final List<Connection> active = new ArrayList<>();
    /** Connections with a link, and connections waiting for a link; resting connections are absent. */
    private final List<Connection> watched = new ArrayList<>();
    /** The agent's links in all states. */
    private final List<Channel> channels = new ArrayList<>();
    private long nextTickNs;
    /** Read by threads when they begin sessions. */
    private volatile boolean isClosing;

    /**
     * Makes an agent.
     *
     * @param config of the network
     * @param clock of the agent
     * @param random for nonces and session ids
     * @param transports of the agent; the agent closes them
     * @param identity of this node
     * @param dispatcher of the agent
     * @param requests of the network
     * @param rings of the network
     * @param counters of the agent
     * @param agents of the network; the caller adds this agent to them
     */
    public Agent(NetworkConfig config, Clock clock, RandomGenerator random, Transports transports,
                 Identity identity, Dispatcher dispatcher, PendingRequests requests, RingPool rings,
                 AgentCounters counters, Agents agents) {
        this.config = config;
        this.clock = clock;
        this.random = random;
        this.transports = transports;
        this.dispatcher = dispatcher;
        this.requests = requests;
        this.rings = rings;
        this.counters = counters;
        this.agents = agents;
        this.nextTickNs = clock.nowNs();
        this.connections = new ConnectionTable(this);
        this.notifier = new Notifier(identity.nid(), config.listener(), counters);
        this.sessions = new SessionCloser(config, clock, requests, counters, notifier);
        this.limit = new LinkLimit(config, clock, agents.links(), channels, requests, this::askOthersForRoom);
        this.handshakes = new Handshakes(this, identity, agents.cluster(), random, connections, sessions, limit,
            counters, this::isClosing);
        this.dialer = new Dialer(this, identity.nid(), transports, channels, limit, sessions);
        this.transfer = new LinkTransfer(this, agents, transports);
    }

    // ---- asked by the network, its connections and its links ----

    @Override
    public NetworkConfig config() {
        return config;
    }

    @Override
    public long nowNs() {
        return clock.nowNs();
    }

    /** {@return what brings frames to handlers} */
    public Dispatcher dispatcher() {
        return dispatcher;
    }

    /** {@return memory for send buffers} */
    public RingPool rings() {
        return rings;
    }

    @Override
    public FrameChecker checker() {
        return checker;
    }

    /** {@return the agent's counters} */
    public AgentCounters counters() {
        return counters;
    }

    @Override
    public Greeter greeter() {
        return handshakes;
    }

    LinkTransfer transfer() {
        return transfer;
    }

    /** {@return the agent's links in all states} */
    public List<Channel> channels() {
        return channels;
    }

    /** Adds a link accepted by another agent. */
    void add(Channel channel) {
        channels.add(channel);
    }

    /** Removes a link before its transfer to another agent. */
    void remove(Channel channel) {
        channels.remove(channel);
    }

    @Override
    public Connection connection(int nid) {
        return connections.of(nid);
    }

    /** {@return the connection to a node, or null; any thread} */
    public @Nullable Connection known(int nid) {
        return connections.known(nid);
    }

    /** {@return all connections; any thread} */
    public Iterable<Connection> connections() {
        return connections.all();
    }

    @Override
    public boolean isClosing() {
        return isClosing;
    }

    @Override
    public int elsewhere(Channel link, int nid) {
        return agents.of(nid) == this ? 0 : agents.port(link.address(), nid);
    }

    @Override
    public boolean isOfAnother(Channel link, int nid) {
        return transfer.isOfAnother(link, nid);
    }

    @Override
    public void take(Session session, MemorySegment memory, long at) throws ProtocolException {
        dispatcher.take(session, memory, at);
    }

    @Override
    public void lose(Connection connection, Session session, String why) {
        sessions.lose(connection, session, why);
    }

    @Override
    public Session newSession(Connection connection) {
        final SendStream out = new SendStream(rings, config.ringBytesMin(), config.ringBytesMax(),
            config.windowBytes() - Frame.BYTES_MAX);
        return new Session(connection, random.nextLong(), out, new FrameInput(checker), config.windowBytes());
    }

    @Override
    public void arouse(Connection connection) {
        if (duty.isHeldByCurrentThread()) {
            activate(connection);                               // a handler or a codec sends: the agent looks later
            return;
        }
        aroused.add(connection);
        wakeUp();
    }

    /** Ends the agent's sleep, the current or the next. Any thread. */
    void wakeUp() {
        transports.wakeUp();
    }

    @Override
    public void post(Runnable task) {
        tasks.add(task);
        wakeUp();
    }

    private void askOthersForRoom() {
        for (Agent agent : agents.all()) {
            if (agent != this) {
                agent.post(agent.limit::giveRoom);
            }
        }
    }

    @Override
    public boolean flush(Connection connection) {
        if (duty.isHeldByCurrentThread() || !transports.areForSenders() || duty.hasQueuedThreads() || !duty.tryLock()) {
            return false;                                       // nor while the agent waits for another thread
        }
        try {
            final Channel channel = connection.channel();
            if (channel == null) {
                return false;
            }
            connection.used(nowNs());
            channel.flush();
            return connection.handBack() && !channel.isBlocked();
        } finally {
            duty.unlock();
        }
    }

    /** Binds the calling thread to the agent, except while the agent {@linkplain #await waits}. */
    public void begin() {
        duty.lock();
    }

    /** {@return whether the calling thread acts as the agent} */
    public boolean isOnDuty() {
        return duty.isHeldByCurrentThread();
    }

    /** Releases the agent from the calling thread. */
    public void leave() {
        duty.unlock();
    }

    // ---- duty cycle ----

    /** {@return units of work done; does all work that is possible without waiting} */
    public int doWork() {
        int work = transports.poll() + transfer.moveAll() + runTasks();
        for (Connection connection = aroused.poll(); connection != null; connection = aroused.poll()) {
            activate(connection);
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

    /** Avoids {@code removeIf}, which allocates if an element is removed. Each sleep is preceded by such a removal. */
    private void keepActive() {
        int kept = 0;
        for (int i = 0; i < active.size(); i++) {
            final Connection connection = active.get(i);
            if (connection.isActive()) {
                active.set(kept, connection);
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

    /**
     * Returns whether this agent ends all requests with a passed deadline, including requests on connections of other
     * agents.
     */
    private boolean isForRequests() {
        return agents.first() == this;
    }

    /** Sleeps until an event, until the next scheduled work, or for {@code mostNs}. */
    void await(long mostNs) {
        final long ns = Math.min(idleNs(), mostNs);
        leave();
        try {
            transports.await(ns);
        } finally {
            begin();
        }
    }

    /** {@return nanoseconds until the next work, unless there is an event} */
    public long idleNs() {
        return active.isEmpty() ? Math.max(nextTickNs - nowNs(), 0) : 0;
    }

    /** {@return whether frames are on their way to a node that can be reached, or was a while ago; any thread} */
    public boolean isSending() {
        for (Connection connection : connections.all()) {
            final Session session = connection.known();
            if (session != null && connection.isReachable(session) && session.isSending()) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void activate(Connection connection) {
        connection.setKnown();
        if (!connection.isActive()) {
            connection.setActive(true);
            active.add(connection);
        }
        if (!connection.isWatched()) {
            connection.setWatched(true);
            watched.add(connection);
        }
    }

    private int work(Connection connection) {
        final Channel channel = connection.channel();
        final Session session = connection.known();
        if (channel == null || session == null) {
            if (session != null && !isClosing && !isResting(connection, session)) {
                dialer.dial(connection);
            }
            connection.setActive(false);                        // until there is a link
            return 0;
        }
        session.putLate();
        if (session.out.hasUnsent()) {
            connection.used(nowNs());
        }
        final int work = channel.flush();
        if (work > 0) {
            return work;
        }
        if (channel.isBlocked()) {
            connection.setActive(false);                        // until the link takes more
        } else if (channel.isStalled()) {
            connection.setActive(!connection.stall());          // until the other side grants credit
        } else if (!session.out.hasUnsent() && connection.pause()) {
            connection.setActive(false);
        }
        return work;
    }

    /**
     * Returns whether a connection stays at rest, because there is nothing to send; otherwise the connection waits for
     * a link from now on.
     */
    private boolean isResting(Connection connection, Session session) {
        if (!connection.isResting()) {
            return false;
        }
        session.putLate();
        if (session.out.isEmpty() && !session.hasLate()) {
            session.rest();
            if (connection.forget()) {
                return true;
            }
        }
        wake(connection);
        connection.waitForLinkFrom(nowNs());
        return false;
    }

    private void wake(Connection connection) {
        if (connection.wake()) {
            counters.connectionsResting.add(-1);
        }
    }

    // ---- links that begin and end ----

    /**
     * Takes a link accepted by a transport. Above the limit the oldest unauthenticated link is closed; honest peers
     * authenticate faster.
     *
     * @param link just accepted
     * @param listenedAt the address
     * @return takes the link's events
     */
    public LinkEvents accepted(Link link, String listenedAt) {
        final Channel channel = Channel.accepted(this, link, listenedAt);
        channels.add(channel);
        final Channel oldest = agents.links().accepted(channel);
        if (isClosing) {
            channel.close();
        } else if (oldest != null && oldest.host() == this) {
            end(oldest);
        } else if (oldest != null) {
            oldest.host().post(() -> end(oldest));
        }
        return channel;
    }

    @Override
    public void learn(ClusterId known) throws RefusedException {
        if (agents.learn(known)) {
            config.listener().identified(known);
        }
    }

    /** Ends the links to nodes that may be of another cluster, after this node has learned its cluster. */
    void endOutside() {
        final ClusterId own = agents.cluster().id();
        for (Channel channel : List.copyOf(channels)) {
            if (channel.isOutside(own)) {
                channel.fail(null);
            }
        }
    }

    private static void end(Channel oldest) {
        if (!oldest.hasOpened()) {
            oldest.fail(new IOException("too many links have not greeted"));
        }
    }

    @Override
    public void opened(Channel link, Connection connection, Session session) {
        final boolean wasResting = connection.isResting();
        final Channel before = connection.opened(link);
        notifier.made(connection, link.peer());
        counters.linksOpen.add(before == null ? 1 : 0);
        if (wasResting) {
            counters.connectionsResting.add(-1);
        }
        if (before != null) {
            before.fail(null);
        }
        dialer.opened(connection, link);
        notifier.up(connection);
        activate(connection);
    }

    @Override
    public void ended(Channel link, @Nullable IOException why) {
        channels.remove(link);
        agents.links().ended(link);
        final Connection connection = link.connection();
        if (why instanceof RefusedException refusal) {
            notifier.refused(link, refusal);
        } else if (!link.hasOpened() && !(why instanceof ElsewhereException)) {
            notifier.failed(link, why);
        }
        if (connection == null) {
            return;
        }
        if (connection.dialing() == link) {
            dialer.failed(connection, link, why);
        }
        if (connection.channel() == link) {
            lost(connection, link, why);
        }
    }

    private void lost(Connection connection, Channel link, @Nullable IOException why) {
        final boolean isToRest = link.isResting() && connection.known() != null;
        if (isToRest) {
            counters.connectionsResting.add(1);
        }
        connection.lost(isToRest);
        counters.linksOpen.add(-1);
        connection.waitForLinkFrom(nowNs());
        dialer.lost(connection, link.ageNs(nowNs()));
        if (isToRest) {
            notifier.resting(connection, link.isOwnRest());
        } else {                                                // nothing waits for an ended session
            notifier.away(connection, why, connection.known() != null && !isClosing);
        }
        activate(connection);
    }

    // ---- time ----

    /** Does the due work; returns the nanoseconds until the next work, if known. */
    private long tick(long now) {
        long moreNs = Long.MAX_VALUE;
        if (isForRequests()) {
            requests.expire(now);
            moreNs = rings.trim();
        }
        for (int i = channels.size() - 1; i >= 0; i--) {
            tick(channels.get(i), now);
        }
        for (int i = 0; i < watched.size(); i++) {
            tick(watched.get(i), now);
        }
        watched.removeIf(it -> !it.isWatched());
        sessions.giveBack();
        return moreNs;
    }

    private void tick(Channel channel, long now) {
        if (!channel.isOpen() && channel.ageNs(now) > config.greetingNs()) {
            channel.fail(new SocketTimeoutException("it has not greeted in time"));
        } else if (channel.isOvertaken(now)) {
            channel.fail(new SocketTimeoutException("it is silent, and its host has other addresses"));
        } else if (channel.isTorn()) {
            channel.fail(new IOException("a thread has ended in the middle of a write"));
        } else if (channel.isOpen() && now - channel.heardNs() > config.silenceNs()) {
            channel.fail(new IOException("nothing was heard of it"));
        } else if (channel.isStuck(config.silenceNs())) {
            channel.fail(new IOException("a frame does not come to its end"));
        } else if (!channel.endIfUnproven()) {
            channel.keepAlive(config.silenceNs() / KEEP_ALIVES);
            if (channel.isDelayed(config.silenceNs() / DELAY)) {
                notifier.delayed(channel.saidNid(), now - channel.heardNs());
            }
        }
    }

    private void tick(Connection connection, long now) {
        final Session session = connection.known();
        if (session == null || connection.isResting()) {
            unwatch(connection);
            return;
        }
        final Channel channel = connection.channel();
        if (channel == null) {
            if (session.isEstablished() && connection.awayNs(now) > config.awayNs()) {
                lose(connection, session, "no new link arrived in time: " + connection.dialFailure());
            } else if (!session.isEstablished() && dialer.isInVain(connection, now)) {
                dialer.giveUp(connection);
            } else if (session.out.hasUnsent() || session.isEstablished()) {
                activate(connection);                           // dials again when a dial is due
            }
            return;
        }
        if (session.hasProgress() || session.hasLate()
            || session.out.hasUnsent() && !channel.isBlocked() && !channel.isStalled()) {
            activate(connection);                               // also if a thread could not wake the agent
        }
        if (session.hasReceived()) {
            connection.used(now);
        } else if (connection.unusedNs(now) > config.restNs()) {
            session.rest();
            channel.rest();
            connection.used(now);
        }
    }

    /** Looks away from a connection until something is put or arrives. */
    private void unwatch(Connection connection) {
        if (connection.forget()) {
            connection.setWatched(connection.isActive());
        } else {
            activate(connection);
        }
    }

    // ---- the end ----

    /** Ends all links, with CLOSING, and all sessions and requests. */
    public void close() {
        isClosing = true;
        try {
            runTasks();
            for (Channel channel : List.copyOf(channels)) {
                channel.close();
            }
            for (Connection connection : connections.all()) {
                final Session session = connection.known();
                if (session != null) {
                    sessions.end(connection, session, Reason.CLOSED, "the network was closed");
                }
            }
        } finally {                                             // after any failure: callers wait
            try {
                requests.fail(null, Reason.CLOSED, "the network was closed");
            } finally {
                transports.close();
            }
        }
    }

    // ---- checking ----

    /** {@return number of links that were closed here, and whose peers may miss the last bytes} Any thread. */
    public long linksCutShort() {
        return transports.linksCutShort();
    }

    /**
     * {@return number of sessions that may have rings: active ones, and ended ones that a thread may still write to}
     */
    public int sessionCount() {
        int count = sessions.count();
        for (Connection connection : connections.all()) {
            count += connection.known() == null ? 0 : 1;
        }
        return count;
    }

    /** {@return bytes of the rings of all these sessions} */
    public long ringBytes() {
        long bytes = sessions.ringBytes();
        for (Connection connection : connections.all()) {
            final Session session = connection.known();
            bytes += session == null ? 0 : session.out.ringBytes();
        }
        return bytes;
    }

    /** Audits the connections, and recomputes the lists and counts of connections and links; by the agent. */
    public void audit() {
        int open = 0;
        int resting = 0;
        for (Connection connection : connections.all()) {
            connection.audit();
            open += connection.channel() == null ? 0 : 1;
            resting += connection.isResting() ? 1 : 0;
            if (connection.isActive() != active.contains(connection)
                || connection.isWatched() != watched.contains(connection)
                || connection.channel() != null && !channels.contains(connection.channel())
                || connection.dialing() != null && !channels.contains(connection.dialing())) {
                throw new IllegalStateException("agent: connection to " + connection.nid() + " is active "
                    + connection.isActive() + " and watched " + connection.isWatched()
                    + ", or its link or dial is none of " + channels.size());
            }
        }
        if (open != counters.linksOpen.get() || resting != counters.connectionsResting.get()) {
            throw new IllegalStateException("agent: " + counters.linksOpen.get() + " links open, counted " + open
                + "; " + counters.connectionsResting.get() + " resting, counted " + resting);
        }
        for (Channel channel : channels) {
            if (channel.isClosed() || channel.host() != this || !agents.links().has(channel)) {
                throw new IllegalStateException("agent: " + channel + " has ended, is another's or not counted");
            }
        }
    }
}
