package io.teff.cluster.net;

import io.teff.cluster.net.agent.Agent;
import io.teff.cluster.net.agent.AgentThreads;
import io.teff.cluster.net.agent.Agents;
import io.teff.cluster.net.agent.Connection;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.counter.AgentCounters;
import io.teff.cluster.net.identity.ClusterId;
import io.teff.cluster.net.message.Answer;
import io.teff.cluster.net.message.Answerer;
import io.teff.cluster.net.message.HandledBy;
import io.teff.cluster.net.message.Handler;
import io.teff.cluster.net.message.LaterAnswerer;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.RawReader;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.ConnectionStats;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.ring.SendStream;
import io.teff.cluster.net.stream.Dispatcher;
import io.teff.cluster.net.stream.HandlerEntry;
import io.teff.cluster.net.stream.MessageBuffer;
import io.teff.cluster.net.stream.MessageWriter;
import io.teff.cluster.net.stream.OpenAnswer;
import io.teff.cluster.net.stream.PendingRequests;
import io.teff.cluster.net.stream.Request;
import io.teff.cluster.net.stream.Sender;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.thread.AnswerWait;
import io.teff.cluster.net.thread.HandlerPools;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Ports;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.cluster.net.wire.Features;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.Refusal;
import io.teff.cluster.net.wire.RefusedException;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages and requests between nodes named by a number, the NID.
 * <pre>
 *  MessageType&lt;Tick&gt; ticks = MessageType.of(1, Codecs.of(Tick.class));
 *  NetworkConfig config = NetworkConfig.builder(1).listen("tcp:127.0.0.1:7001").addresses(book).build();
 *  try (Network network = Network.open(config)) {
 *      network.handle(ticks, (from, tick) -> ...);
 *      network.send(2, ticks, new Tick(...));
 *  }
 * </pre>
 * The first message, in either direction, opens a connection. Messages of one lane to one node are handled in the order
 * of sending, each message once, as long as the session lasts; the session survives broken links. Lane 0 promises no
 * order. When a session ends, each waiting request ends with a {@link NetworkException}, and the listener receives the
 * number of messages possibly not received by the other node. Thread-safe.
 */
public final class Network implements AutoCloseable {
    /**
     * Unlimited: 146 years. A later deadline would appear to have passed to a thread that has read the clock before.
     */
    private static final long TIMEOUT_NS_MAX = Long.MAX_VALUE / 2;
    /** Longest time after the deadline of a call for reading an answer that has already arrived. */
    private static final long READING_NS = 50_000_000;
    /** How often a caller waiting for an answer yields before sleeping. */
    private static final int YIELDS = 3;

    private final NetworkConfig config;
    private final Clock clock;
    private final List<String> addresses = new ArrayList<>();
    /** Counters of the first agent, and of sending threads. */
    private final AgentCounters counts = new AgentCounters();
    private final PendingRequests requests = new PendingRequests(counts);
    private final RingPool rings;
    private final HandlerPools pools;
    private final Dispatcher dispatcher;
    private final Agents agents;
    private final Sender sender;
    private final AnswerWait answerWait = new AnswerWait() {
        @Override
        public boolean begin() {
            checkMayWait();
            return pools.begin();
        }

        @Override
        public void end() {
            pools.end();
        }
    };
    private @Nullable AgentThreads threads;
    private volatile boolean isOpening;

    /** Makes a network without threads, with one agent for each {@link Transports}. */
    Network(NetworkConfig config, Clock clock, RandomGenerator random, List<Transports> transports,
            long incarnation) throws IOException {
        this.config = config;
        this.clock = clock;
        this.pools = new HandlerPools(config.name(), config.handlers(), config.handlerThreads(), config.spinNs(),
            clock);
        this.dispatcher = new Dispatcher(requests, pools.shared(), config.listener(), counts);
        this.rings = new RingPool(config.poolBytes(), clock);
        this.agents = new Agents(config);
        this.sender = new Sender(config, clock, requests, counts, this::isAgent);
        final Identity self = new Identity(config.nid(), incarnation, config.cluster(),
            config.hasDrawnNid() ? Features.REST | Features.DRAWN : Features.REST);
        for (Transports its : transports) {
            final boolean isFirst = agents.all().isEmpty();
            final AgentCounters itsCounts = isFirst ? counts : new AgentCounters();
            agents.add(new Agent(config, clock, random, its, self, isFirst ? dispatcher : dispatcher.another(itsCounts),
                requests, rings, itsCounts, agents));
        }
        for (String address : config.listen()) {
            addresses.add(listen(address, transports));
        }
    }

    /** Listens with the first agent; each further agent opens a transport to which links can move. */
    private String listen(String address, List<Transports> transports) throws IOException {
        final Transport transport = transports.getFirst().of(address);
        if (config.secret().length == 0 && !transport.isLocal(address)) {
            throw new IOException("others reach " + address + ": that needs the cluster's secret");
        }
        if (transports.size() > 1 && !transport.capabilities().contains(Capability.MOVES_LINKS)) {
            if (transport.capabilities().contains(Capability.HAS_PORTS)) {
                return listenWithEach(address, transports);
            }
            throw new IOException("links of " + address + " cannot go to other agents: that needs a network with one");
        }
        for (Transports its : transports) {
            its.of(address);
        }
        final Agent first = agents.first();
        return transport.listen(address, link -> first.accepted(link, address));
    }

    /** Listens with each agent: the first agent at the address, further agents at any port of the host. */
    private String listenWithEach(String address, List<Transports> transports) throws IOException {
        final List<String> published = new ArrayList<>();
        final int[] ports = new int[transports.size()];
        for (int i = 0; i < ports.length; i++) {
            final Agent agent = agents.all().get(i);
            final String at = i == 0 ? address : Ports.with(address, 0);
            published.add(transports.get(i).of(at).listen(at, link -> agent.accepted(link, address)));
            ports[i] = Ports.of(published.getLast());
        }
        agents.setPorts(address, ports);
        return published.getFirst();
    }

    /**
     * Opens a network and starts its threads. The threads do not keep a JVM alive.
     *
     * @param config of the network
     * @return the network
     * @throws IOException if the network cannot listen at an address
     */
    public static Network open(NetworkConfig config) throws IOException {
        return open(config, _ -> { });
    }

    /**
     * Opens a network, and starts its threads after its handlers are registered: messages sent by other nodes as soon
     * as this node is back find their handlers.
     *
     * @param config of the network
     * @param begin registers handlers; must not send yet
     * @return the network
     * @throws IOException if the network cannot listen at an address
     */
    public static Network open(NetworkConfig config, Consumer<Network> begin) throws IOException {
        final TransportOptions options = new TransportOptions(config.tls());
        final Map<String, Supplier<Transport>> providers = new HashMap<>();
        providers().forEach((scheme, it) -> providers.put(scheme, () -> it.open(options)));
        final List<Transports> transports = Stream.generate(() -> new Transports(providers, config.tls() != null))
            .limit(config.agents()).toList();
        Network network = null;
        try {
            network = new Network(config, Clock.SYSTEM, Chance.SYSTEM, transports,
                Identity.incarnation(Clock.SYSTEM.epochMs(), Chance.SYSTEM));
            network.startBehind(begin);
            return network;
        } catch (Throwable e) {
            try {
                if (network != null) {
                    network.close();                            // also threads already started
                }
                transports.forEach(Transports::close);
            } catch (RuntimeException | Error another) {
                e.addSuppressed(another);
            }
            throw e;
        }
    }

    /** Finds transports by the class loader of the thread, and by that of this class. */
    private static Map<String, TransportProvider> providers() {
        final Map<String, TransportProvider> found = new TreeMap<>();
        ServiceLoader.load(TransportProvider.class, Network.class.getClassLoader())
            .forEach(it -> found.put(it.scheme(), it));
        ServiceLoader.load(TransportProvider.class).forEach(it -> found.put(it.scheme(), it));
        return found;
    }

    /** {@return the schemes of the addresses for which this process has a transport, such as {@code tcp}, sorted} */
    public static Set<String> schemes() {
        return providers().keySet();
    }

    private void startBehind(Consumer<Network> begin) {
        isOpening = true;
        try {
            begin.accept(this);
        } finally {
            isOpening = false;
        }
        start();
    }

    private void start() {
        pools.start();
        final AgentThreads all = new AgentThreads(agents, config, clock, sender::close, () -> {
            rings.close();
            pools.finish();
        });
        threads = all;
        all.start();
    }

    /** {@return the first agent, to be called by a simulator instead of a thread} */
    Agent agent() {
        return agents.first();
    }

    /** Runs a waiting handler, for a simulator instead of a thread; returns false if no handler waits. */
    boolean runHandler() {
        return pools.runNext();
    }

    /** {@return all agents} */
    Agents agents() {
        return agents;
    }

    // ---- asking ----

    /** {@return this node's number} */
    public int nid() {
        return config.nid();
    }

    /** {@return the identity of the network's cluster; unknown until learned, or if the network has no cluster} */
    public ClusterId cluster() {
        return agents.cluster().id();
    }

    /**
     * Sets the identity of the network's cluster. Links to nodes that have not named this cluster end. Their sessions
     * continue over new links, if the nodes turn out to be of this cluster. Without effect if the identity is the
     * network's already.
     *
     * @param known the identity
     * @throws IllegalArgumentException if the identity is unknown, the network belongs to another cluster, or the
     *     network expects another name
     */
    public void identify(ClusterId known) {
        if (!known.isKnown()) {
            throw new IllegalArgumentException("the identity of the cluster is unknown");
        }
        try {
            if (agents.learn(known)) {
                config.listener().identified(known);
            }
        } catch (RefusedException e) {
            throw new IllegalArgumentException("the network is of " + cluster() + ", not of " + known, e);
        }
    }

    /**
     * Returns the addresses at which other nodes find this node.
     *
     * @return the addresses at which the network listens, with the assigned port if the network asked for any port; an
     *     address of all interfaces, {@code tcp:0.0.0.0:7001}, is useless to other machines, because they need the
     *     address of this machine
     */
    public List<String> addresses() {
        return List.copyOf(addresses);
    }

    /** {@return how the network is doing} */
    public NetworkStats stats() {
        long sent = 0;
        long received = 0;
        long open = 0;
        long cutShort = 0;
        for (Agent agent : agents.all()) {
            cutShort += agent.linksCutShort();
            for (Connection connection : agent.connections()) {
                final Session session = connection.known();
                open += session == null ? 0 : session.openRequests().count();
                sent += connection.counters().bytesSent.get();
                received += connection.counters().bytesReceived.get();
            }
        }
        return new NetworkStats(sender.messages(),
            agents.sum(it -> it.messagesHandled.sum()), agents.sum(it -> it.messagesUnhandled.sum()),
            agents.sum(it -> it.handlerFailures.sum()),
            agents.sum(it -> it.requestsWithdrawn.sum()), open, agents.sum(it -> it.requestsUnanswered.sum()),
            requests.added() - counts.requestsNotSent.sum(),
            agents.sum(it -> it.requestsAnswered.get()), agents.sum(it -> it.requestsFailed.sum()),
            agents.sum(it -> it.requestsTimedOut.sum()), requests.count(), sent, received,
            agents.sum(it -> it.linksMade.get()), agents.sum(it -> it.linksLost.get()),
            agents.sum(it -> it.linksDelayed.get()), agents.sum(it -> it.linksRested.get()),
            agents.sum(it -> it.linksFailed.get()), linksRefused(), cutShort,
            agents.sum(it -> it.linksOpen.get()), agents.sum(it -> it.connectionsResting.get()),
            agents.sum(it -> it.sessionsBegun.get()), agents.sum(it -> it.sessionsResumed.get()),
            agents.sum(it -> it.sessionsLost.get()), rings.takenBytes(), rings.allocatedBytes(),
            counts.roomWaits.sum(), counts.roomWaitNs.sum(), counts.refusedFull.sum());
    }

    /** Returns counts by the names of the reasons, without zeros. */
    private Map<String, Long> linksRefused() {
        final Map<String, Long> byName = new TreeMap<>();
        for (Refusal reason : Refusal.values()) {
            final long count = agents.sum(it -> it.linksRefused(reason));
            if (count > 0) {
                byName.put(reason.name(), count);
            }
        }
        return byName;
    }

    /**
     * Returns statistics of the connection to a node; opens no connection.
     *
     * @param nid a node, not this node
     * @return statistics of the connection; zeros, and the state NONE, if nothing was ever sent to or received from the
     *     node
     * @throws IllegalArgumentException if the number is not the NID of another node
     */
    public ConnectionStats stats(int nid) {
        checkOther(nid);
        final Connection known = agents.of(nid).known(nid);
        return known == null ? ConnectionStats.none(nid) : known.stats(clock.nowNs());
    }

    /** {@return the NID and the addresses, for people} */
    @Override
    public String toString() {
        return "Network[nid " + nid() + ", listens at " + addresses + ']';
    }

    // ---- handlers ----

    /**
     * Registers a handler to run on the handlers' threads.
     *
     * @param <T> type of the messages
     * @param type of the messages
     * @param handler handles the messages
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public <T> void handle(MessageType<T> type, Handler<T> handler) {
        handle(type, HandledBy.HANDLERS, handler);
    }

    /**
     * Registers a short handler, to run where messages arrive, on the agent's thread: faster, but all connections of
     * the agent wait meanwhile. Messages of a short handler overtake messages of their lane waiting for a handler of
     * {@link #handle}. With several agents, messages of different nodes may be handled at the same time.
     *
     * @param <T> type of the messages
     * @param type of the messages
     * @param handler must be short, and must not wait: a send without room fails with FULL
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public <T> void handleShort(MessageType<T> type, Handler<T> handler) {
        handle(type, HandledBy.AGENT, handler);
    }

    /**
     * Registers a handler, and the threads on which the handler runs.
     *
     * @param <T> type of the messages
     * @param type of the messages
     * @param by the thread to handle a message
     * @param handler handles the messages
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public <T> void handle(MessageType<T> type, HandledBy by, Handler<T> handler) {
        register(type, by, delivery -> handler.handle(delivery.from(), delivery.read(type)), false, false, null);
    }

    /**
     * Registers an answerer to run on the handlers' threads.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param type of the requests
     * @param answerer answers the requests
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public <Q, R> void answer(RequestType<Q, R> type, Answerer<Q, R> answerer) {
        answer(type, HandledBy.HANDLERS, answerer);
    }

    /**
     * Registers a short answerer, to run where requests arrive, on the agent's thread: faster, but all connections of
     * the agent wait meanwhile. With several agents, requests of different nodes may be answered at the same time.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param type of the requests
     * @param answerer must be short, and must not wait: a send without room fails with FULL; the answer is sent even
     *     without room
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public <Q, R> void answerShort(RequestType<Q, R> type, Answerer<Q, R> answerer) {
        answer(type, HandledBy.AGENT, answerer);
    }

    /**
     * Registers an answerer, and the threads on which the answerer runs.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param type of the requests
     * @param by the thread to answer a request
     * @param answerer answers the requests
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public <Q, R> void answer(RequestType<Q, R> type, HandledBy by, Answerer<Q, R> answerer) {
        register(type.request(), by, delivery -> {
            final R answer = answerer.answer(delivery.from(), delivery.read(type.request()));
            if (delivery.isRequest()) {
                delivery.respond(MessageBuffer.write(delivery.from(), type.answer(), answer));
            }
        }, true, false, null);
    }

    /**
     * Registers an answerer whose requests any thread may answer, at once or later: thousands of requests may wait for
     * their answers without occupying a thread.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param type of the requests
     * @param by the thread to receive a request
     * @param answerer answers the requests
     * @throws IllegalArgumentException if the type's number has a handler already
     */
    public <Q, R> void answerLater(RequestType<Q, R> type, HandledBy by, LaterAnswerer<Q, R> answerer) {
        register(type.request(), by, delivery -> {
            @SuppressWarnings("unchecked")                      // made by the opener
            final Answer<R> open = (Answer<R>) delivery.opened();
            answerer.answer(delivery.from(), delivery.read(type.request()), open);
        }, true, false, delivery -> new OpenAnswer<>(delivery, type.answer()));
    }

    /** Registers the action for messages of a type. */
    void register(MessageType<?> type, HandledBy by, HandlerEntry.Action action, boolean isAnswering, boolean isRaw,
                  HandlerEntry.@Nullable Opener opener) {
        dispatcher.register(new HandlerEntry(type, action, by == HandledBy.AGENT, by.agentBytesMax(), isAnswering,
            isRaw, pools.of(by), opener));
    }

    /** {@return messages and requests whose content is bytes} */
    public RawMessages raw() {
        return new RawMessages(this);
    }

    // ---- sending ----

    /**
     * Sends a message in lane 0. Messages of lane 0 are handled in any order. Returns when the message is in the send
     * buffer.
     *
     * @param <T> type of the message
     * @param nid the receiver, not this node
     * @param type of the message
     * @param message to be sent
     * @throws NetworkException if the message was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE,
     *     REFUSED, MISFIT, LOST or CLOSED
     */
    public <T> void send(int nid, MessageType<T> type, T message) {
        send(nid, 0, type, message);
    }

    /**
     * Sends a message in a lane; messages of a lane from 1 to 255 are handled in order.
     *
     * @param <T> type of the message
     * @param nid the receiver, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param message to be sent
     * @throws NetworkException if the message was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE,
     *     REFUSED, MISFIT, LOST or CLOSED
     */
    public <T> void send(int nid, int lane, MessageType<T> type, T message) {
        checkLane(lane);
        put(nid, lane, type.id(), MessageBuffer.write(nid, type, message));
    }

    /** Puts a message from a buffer, and waits for room up to the send timeout. */
    void put(int nid, int lane, int type, MessageBuffer bytes) {
        sender.put(connection(nid), type, lane, 0, null, bytes, config.sendTimeoutNs());
    }

    /**
     * Sends a message if there is room now, and otherwise drops the message.
     *
     * @param <T> type of the message
     * @param nid the receiver, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param message to be sent
     * @return false if the message was dropped
     * @throws NetworkException if the message was not sent for another reason than lack of room: TOO_LARGE,
     *     UNREACHABLE, REFUSED, MISFIT, LOST or CLOSED
     */
    public <T> boolean offer(int nid, int lane, MessageType<T> type, T message) {
        checkLane(lane);
        return offer(nid, lane, type.id(), MessageBuffer.write(nid, type, message));
    }

    /** Puts a message from a buffer if there is room now. */
    boolean offer(int nid, int lane, int type, MessageBuffer bytes) {
        final Connection to = connection(nid);
        final int result = sender.tryPut(to, type, lane, 0, null, bytes, 0);
        if (result != SendStream.OK && result != SendStream.FULL) {
            throw sender.refused(to, result);
        }
        return result == SendStream.OK;
    }

    /**
     * Sends one message to several nodes, one node after the other. The message is serialized once. A message longer
     * than 64 KiB is serialized for each node. All sends together wait for room as long as a single send may.
     *
     * @param <T> type of the message
     * @param nids the receivers, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param message to be sent
     * @return why the message was not sent, by NID; empty if the message was sent to all nodes
     * @throws NetworkException TOO_LARGE, or CLOSED; some nodes may have received the message if the message is longer
     *     than 64 KiB, or if the network is closed meanwhile
     */
    public <T> Map<Integer, NetworkException> multicast(Collection<Integer> nids, int lane, MessageType<T> type,
                                                        T message) {
        checkLane(lane);
        final List<Connection> all = nids.stream().distinct().map(this::connection).toList();
        final MessageBuffer bytes = MessageBuffer.write(config.nid(), type, message);
        final MessageWriter<?> parts = bytes.parts();
        final long end = clock.nowNs() + config.sendTimeoutNs();
        final Map<Integer, NetworkException> failed = new TreeMap<>();
        for (Connection to : all) {
            if (parts != null) {
                parts.begin();
            }
            final long left = Math.max(end - clock.nowNs(), 0);
            final int result = sender.tryPut(to, type.id(), lane, 0, null, bytes, left);
            if (result != SendStream.OK) {
                failed.put(to.nid(), sender.refused(to, result));
            }
        }
        return failed;
    }

    static void checkLane(int lane) {
        if ((lane & ~Frame.LANE_MAX) != 0) {
            throw new IllegalArgumentException("lane=" + lane + " is not in 0 to " + Frame.LANE_MAX);
        }
    }

    /**
     * Sends a request. Stages chained to the future without an {@code ...Async} method run on the agent's thread: such
     * stages must be short, fail with FULL if they send without room, and cannot {@link #call}. On the agent's thread
     * {@code join} and {@code get} of this future and of its stages throw an {@link IllegalStateException}, unless the
     * future or stage has ended. If the future is ended from outside, by {@code cancel}, {@code complete} or
     * {@code orTimeout}, the request is given up, and is not handled unless handling has begun.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid the receiver, not this node
     * @param type of the request
     * @param request to be sent
     * @return ends once: with the answer, or with a {@link NetworkException}
     * @throws NetworkException if the request was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE,
     *     REFUSED, MISFIT, LOST or CLOSED
     */
    public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request) {
        return request(nid, type, request, config.requestTimeoutNs());
    }

    /**
     * Sends a request with a deadline of its own.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid the receiver, not this node
     * @param type of the request
     * @param request to be sent
     * @param timeoutNs longest time until the answer, in nanoseconds, at least 1
     * @return ends once: with the answer, or with a {@link NetworkException}
     * @throws NetworkException if the request was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE,
     *     REFUSED, MISFIT, LOST or CLOSED
     */
    public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        checkTimeout(timeoutNs);
        return begin(nid, type, request, timeoutNs, false).future();
    }

    static void checkTimeout(long timeoutNs) {
        if (timeoutNs <= 0) {
            throw new IllegalArgumentException("timeoutNs=" + timeoutNs + " is not in 1 to " + Long.MAX_VALUE
                + " nanoseconds");
        }
    }

    /**
     * Sends a request. If {@code isAwaited}, the thread only waits afterwards, and may do the agent's work before
     * waiting.
     */
    <Q, R> Request<R> begin(int nid, RequestType<Q, R> type, Q request, long timeoutNs, boolean isAwaited) {
        final long deadlineNs = clock.nowNs() + Math.min(timeoutNs, TIMEOUT_NS_MAX);
        final MessageBuffer bytes = MessageBuffer.write(nid, type.request(), request);
        final Request<R> waiting = new Request<>(nid(), nid, deadlineNs, type.answer(), isAwaited, answerWait);
        put(waiting, type.request().id(), bytes);
        return waiting;
    }

    /** Sends a request for bytes taken by a reader. */
    <R> Request<R> beginRaw(int nid, MessageType<byte[]> answer, MessageBuffer bytes, RawReader<R> reader,
                            long timeoutNs, boolean isAwaited) {
        final long deadlineNs = clock.nowNs() + Math.min(timeoutNs, TIMEOUT_NS_MAX);
        final Request<R> waiting = new Request<>(nid(), nid, deadlineNs, answer, reader, isAwaited, answerWait);
        put(waiting, answer.id(), bytes);
        return waiting;
    }

    private void put(Request<?> waiting, int type, MessageBuffer bytes) {
        relieveAgent();
        sender.put(connection(waiting.nid), type, 0, Frame.REQUEST, waiting, bytes,
            Math.clamp(waiting.deadlineNs - clock.nowNs(), 0, config.sendTimeoutNs()));
    }

    /**
     * Sends a request and waits for the answer; suits virtual threads.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid the receiver, not this node
     * @param type of the request
     * @param request to be sent
     * @return the answer
     * @throws NetworkException if there is no answer
     * @throws IllegalStateException on the agent's thread, which receives the answers: in a short handler, a listener,
     *     or a stage chained to a request; and while handlers are registered as the network is opened
     * @throws InterruptedException if the thread is interrupted; the request may be handled nevertheless
     */
    public <Q, R> R call(int nid, RequestType<Q, R> type, Q request) throws InterruptedException {
        return call(nid, type, request, config.requestTimeoutNs());
    }

    /**
     * Sends a request with a deadline of its own and waits for the answer; suits virtual threads. If the answer is
     * being read at the deadline, the call waits for the answer's codec 50 milliseconds more at most.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid the receiver, not this node
     * @param type of the request
     * @param request to be sent
     * @param timeoutNs longest time until the answer, in nanoseconds, at least 1
     * @return the answer
     * @throws NetworkException if there is no answer
     * @throws IllegalStateException on the agent's thread, as above
     * @throws InterruptedException if the thread is interrupted; the request may be handled nevertheless
     */
    public <Q, R> R call(int nid, RequestType<Q, R> type, Q request, long timeoutNs) throws InterruptedException {
        return call(nid, timeoutNs, mayWrite -> begin(nid, type, request, timeoutNs, mayWrite));
    }

    /** Sends a request by {@code begin}, and waits for the answer. */
    <R> R call(int nid, long timeoutNs, Beginning<R> begin) throws InterruptedException {
        checkTimeout(timeoutNs);
        checkMayWait();
        final Request<R> waiting;
        try {
            // the thread could be without a processor for long
            waiting = begin.begin(!Thread.currentThread().isVirtual());
        } catch (NetworkException e) {
            if (e.reason() == Reason.INTERRUPTED && Thread.interrupted()) {
                throw new InterruptedException(FailureText.of(e));
            }
            throw e;
        }
        yieldFor(waiting);
        try {
            return await(waiting);
        } catch (InterruptedException e) {
            requests.end(waiting, Reason.INTERRUPTED, "the caller was interrupted");
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NetworkException failure) {
                throw new NetworkException(failure.reason(), nid, failure.what(), failure.getCause());
            }
            throw new NetworkException(Reason.FAILED, nid, "the answer cannot be read", e.getCause());
        }
    }

    /** Yields for some rounds: the answer may arrive before the thread could sleep. */
    void yieldFor(Request<?> waiting) {
        for (int i = 0; i < YIELDS && requests.count() == 1 && !waiting.future().isDone(); i++) {
            Thread.yield();
        }
    }

    /**
     * Sends a request whose caller waits; the caller may do the agent's work before waiting if the argument says so.
     */
    @FunctionalInterface
    interface Beginning<R> {
        Request<R> begin(boolean mayWrite);
    }

    /**
     * Ends the wait of an agent that stands still: if application code on the agent's thread waits for a future that
     * only the agent can end, for instance in {@code allOf}, the deadlines of the agent's requests end the future.
     */
    private void relieveAgent() {
        final long nowNs = clock.nowNs();
        if (requests.isStill(nowNs) && !isAgent()) {
            requests.expireAll(nowNs);
        }
    }

    private void checkMayWait() {
        if (isAgent()) {
            throw new IllegalStateException("node " + nid() + ": the agent's thread cannot wait for an answer, which it"
                + " brings itself: chain to the request, or wait in a stage of an ...Async method");
        }
        if (isOpening) {
            throw new IllegalStateException("node " + nid()
                + ": the network has not begun yet: no agent brings an answer");
        }
    }

    /**
     * Waits for an answer. The caller ends the request at the deadline itself, because the agent checks deadlines only
     * at intervals. If the caller cannot end the request, another thread ends the request, or reads the answer.
     */
    private <R> R await(Request<R> waiting) throws InterruptedException, ExecutionException {
        try {
            return waiting.future().get(Math.max(waiting.deadlineNs - clock.nowNs(), 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            requests.expire(waiting);
            relieveAgent();
        }
        try {
            return waiting.future().get(READING_NS, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new NetworkException(Reason.TIMED_OUT, waiting.nid, "its answer is not read to its end in time", e);
        }
    }

    private Connection connection(int nid) {
        checkOther(nid);
        return agents.of(nid).connection(nid);
    }

    private void checkOther(int nid) {
        if (nid == config.nid()) {
            throw new IllegalArgumentException("nid=" + nid + " is this node itself, which sends itself nothing");
        } else if (nid < 0 || nid > NetworkConfig.NID_MAX) {
            throw new IllegalArgumentException("nid=" + nid + " is not in 0 to " + NetworkConfig.NID_MAX);
        }
    }

    /**
     * Returns whether the calling thread acts as an agent: the thread is an agent's thread, or has taken an agent's
     * place.
     */
    private boolean isAgent() {
        final AgentThreads all = threads;
        return all != null && (all.isOne(Thread.currentThread()) || agents.isOnDuty());
    }

    // ---- the end ----

    /**
     * Rejects new messages, waits up to two seconds, or the configured time, until messages to reachable nodes have
     * arrived, and ends all connections and threads. Waiting requests end with CLOSED. Running and waiting messages are
     * handled to the end, however long their handlers take. A caller in a handler does not wait for other handlers. A
     * caller on the agent's thread waits for nothing.
     */
    @Override
    public void close() {
        close(config.lingerNs());
    }

    /**
     * Closes this network like {@link #close()}, with another time for the messages.
     *
     * @param lingerNs longest wait in nanoseconds until messages have arrived, from 0; at most the configured time
     */
    public void close(long lingerNs) {
        sender.close();
        final AgentThreads running = threads;
        if (running == null) {
            agents.all().forEach(Agent::close);
            rings.close();
        } else {
            running.close(Math.clamp(lingerNs, 0, config.lingerNs()), this::endOfStillAgent);
        }
        if (!isAgent()) {
            pools.close();
        }
    }

    /**
     * Ends all requests in place of an agent that stands still, so that code on the agent's thread waiting for the
     * requests continues.
     */
    private void endOfStillAgent() {
        if (requests.isStill(clock.nowNs())) {
            requests.fail(null, Reason.CLOSED, "the network was closed");
        }
    }

    // ---- checking ----

    /**
     * Audits the agents and their shared structures. Sums are recomputed: the memory of rings equals the memory of the
     * sessions' rings, and each sent request waits or has ended once. For tests and the simulator, while no thread does
     * anything.
     *
     * @throws IllegalStateException if an invariant is broken
     */
    public void audit() {
        requests.audit();
        rings.audit();
        agents.links().audit();
        agents.all().forEach(Agent::audit);
        final long ringBytes = agents.all().stream().mapToLong(Agent::ringBytes).sum();
        if (ringBytes != rings.takenBytes()) {
            throw new IllegalStateException("network: rings of " + rings.takenBytes() + " bytes, but sessions have "
                + ringBytes);
        }
        final long sent = requests.added() - counts.requestsNotSent.sum();
        final long ended = agents.sum(it -> it.requestsAnswered.get() + it.requestsFailed.sum()
            + it.requestsTimedOut.sum());
        if (sent != ended + requests.count()) {
            throw new IllegalStateException("network: of " + sent + " requests " + ended + " have ended, and "
                + requests.count() + " wait");
        }
    }
}
