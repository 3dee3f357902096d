package io.teff.cluster.net;

import io.teff.cluster.net.NetworkException.Reason;
import io.teff.cluster.net.ring.Outgoing;
import io.teff.cluster.net.ring.RingPool;
import io.teff.cluster.net.transport.Capability;
import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.cluster.net.wire.Features;
import io.teff.cluster.net.wire.Frame;
import io.teff.cluster.net.wire.Identity;
import io.teff.cluster.net.wire.Refusal;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Messages and requests between nodes that are named by a number, the NID.
 * <pre>
 *  MessageType&lt;Tick&gt; ticks = MessageType.of(1, Codecs.of(Tick.class));
 *  NetworkConfig config = NetworkConfig.builder(1).listen("tcp:127.0.0.1:7001").addresses(book).build();
 *  try (Network network = Network.open(config)) {
 *      network.handle(ticks, (from, tick) -> ...);
 *      network.send(2, ticks, new Tick(...));
 *  }
 * </pre>
 * A connection is opened by the first message, in either direction. Messages of one lane to one node are handled in the
 * order in which they were sent, each once, as long as the session lasts, which survives links that break; lane 0
 * promises no order. Where a session ends, each request that waits ends with a {@link NetworkException}, and the
 * listener is told how many messages the other node may not have received. Thread-safe.
 */
public final class Network implements AutoCloseable {
    /** For ever: 146 years. Deadlines further away would seem to be over for who has looked at the clock before. */
    private static final long TIMEOUT_NS_MAX = Long.MAX_VALUE / 2;
    /** So often who waits for an answer lets others run before it sleeps. */
    private static final int YIELDS = 3;

    private final NetworkConfig config;
    private final Clock clock;
    private final List<String> addresses = new ArrayList<>();
    /** Of the first agent, and of the threads that send. */
    private final Counts counts = new Counts();
    private final Requests requests = new Requests(counts);
    private final RingPool rings;
    private final @Nullable Workers workers;
    private final Dispatcher dispatcher;
    private final Agents agents;
    private final Sender sender;
    private @Nullable AgentThreads threads;
    private volatile boolean isOpening;

    /** A network without threads, with an agent for each of the transports. */
    Network(NetworkConfig config, Clock clock, RandomGenerator random, List<Transports> transports,
            long incarnation) throws IOException {
        this.config = config;
        this.clock = clock;
        final Executor given = config.handlers();
        final Workers own = given == null ? new Workers(config, clock) : null;
        this.workers = own;
        this.dispatcher = new Dispatcher(requests, own == null ? Objects.requireNonNull(given) : own,
            config.listener(), counts);
        this.rings = new RingPool(config.poolBytes(), clock);
        this.agents = new Agents(config);
        this.sender = new Sender(config, clock, requests, counts, this::isAgent);
        final Identity self = new Identity(config.nid(), incarnation, config.clusterHigh(), config.clusterLow(),
            Features.REST);
        for (Transports its : transports) {
            final boolean isFirst = agents.all().isEmpty();
            final Counts itsCounts = isFirst ? counts : new Counts();
            agents.add(new Node(config, clock, random, its, self, isFirst ? dispatcher : dispatcher.another(itsCounts),
                requests, rings, itsCounts, agents));
        }
        for (String address : config.listen()) {
            addresses.add(listen(address, transports));
        }
    }

    /** Listens with the first agent; each other one has a transport that the links can go to. */
    private String listen(String address, List<Transports> transports) throws IOException {
        final Transport transport = transports.getFirst().of(address);
        if (config.secret().length == 0 && !transport.isLocal(address)) {
            throw new IOException("others reach " + address + ": that needs the cluster's secret");
        }
        if (transports.size() > 1 && !transport.capabilities().contains(Capability.MOVES_LINKS)) {
            throw new IOException("links of " + address + " cannot go to other agents: that needs a network with one");
        }
        for (Transports its : transports) {
            its.of(address);
        }
        final Node first = agents.first();
        return transport.listen(address, link -> first.accepted(link, address));
    }

    /**
     * Opens a network and starts its threads, which do not keep a JVM alive.
     *
     * @param config how
     * @return the network
     * @throws IOException if it cannot listen at an address
     */
    public static Network open(NetworkConfig config) throws IOException {
        return open(config, _ -> { });
    }

    /**
     * Opens a network, and starts its threads when its handlers are there: messages that others send as soon as this
     * node is back find them.
     *
     * @param config how
     * @param begin registers handlers; must not send yet
     * @return the network
     * @throws IOException if it cannot listen at an address
     */
    public static Network open(NetworkConfig config, Consumer<Network> begin) throws IOException {
        final TransportOptions options = new TransportOptions(config.tls());
        final Map<String, Supplier<Transport>> providers = new HashMap<>();
        ServiceLoader.load(TransportProvider.class).forEach(it -> providers.put(it.scheme(), () -> it.open(options)));
        final List<Transports> transports = Stream.generate(() -> new Transports(providers, config.tls() != null))
            .limit(config.agents()).toList();
        Network network = null;
        try {
            network = new Network(config, Clock.SYSTEM, Chance.SYSTEM, transports, Clock.SYSTEM.epochMs());
            network.startBehind(begin);
            return network;
        } catch (Throwable e) {
            try {
                if (network != null) {
                    network.close();                            // also threads that have started
                }
                transports.forEach(Transports::close);
            } catch (RuntimeException | Error another) {
                e.addSuppressed(another);
            }
            throw e;
        }
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
        if (workers != null) {
            workers.start();
        }
        final AgentThreads all = new AgentThreads(agents, config, clock, sender::close, () -> {
            rings.close();
            if (workers != null) {
                workers.end();
            }
        });
        threads = all;
        all.start();
    }

    /** {@return the first agent, to be called by a simulator instead of a thread} */
    Node node() {
        return agents.first();
    }

    /** {@return all of them} */
    Agents agents() {
        return agents;
    }

    // ---- asking ----

    /** {@return this node's number} */
    public int nid() {
        return config.nid();
    }

    /**
     * Tells where others find this node.
     *
     * @return the addresses that it listens at, with the ports it got where it asked for any; one that listens at all
     *     addresses of its machine, {@code tcp:0.0.0.0:7001}, is no address for others, who need that of the machine
     */
    public List<String> addresses() {
        return List.copyOf(addresses);
    }

    /** {@return how the network is doing} */
    public NetworkStats stats() {
        long sent = 0;
        long received = 0;
        for (Node agent : agents.all()) {
            for (Connection it : agent.connections()) {
                sent += it.traffic.bytesSent.get();
                received += it.traffic.bytesReceived.get();
            }
        }
        return new NetworkStats(sender.messages(),
            agents.sum(it -> it.messagesHandled.sum()), agents.sum(it -> it.messagesUnhandled.sum()),
            agents.sum(it -> it.handlerFailures.sum()), requests.added() - counts.requestsNotSent.sum(),
            agents.sum(it -> it.requestsAnswered.get()), agents.sum(it -> it.requestsFailed.sum()),
            agents.sum(it -> it.requestsTimedOut.sum()), requests.count(), sent, received,
            agents.sum(it -> it.linksMade.get()), agents.sum(it -> it.linksLost.get()),
            agents.sum(it -> it.linksDelayed.get()), agents.sum(it -> it.linksRested.get()),
            agents.sum(it -> it.linksFailed.get()), linksRefused(),
            agents.sum(it -> it.linksOpen.get()), agents.sum(it -> it.connectionsResting.get()),
            agents.sum(it -> it.sessionsBegun.get()), agents.sum(it -> it.sessionsResumed.get()),
            agents.sum(it -> it.sessionsLost.get()), rings.takenBytes(), rings.allocatedBytes(),
            counts.roomWaits.sum(), counts.roomWaitNs.sum(), counts.refusedFull.sum());
    }

    /** By the names of the reasons; those that there are none of are left out. */
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
     * Tells how the connection to a node is doing; makes none.
     *
     * @param nid the node, not this one
     * @return its numbers; zeros, and the state NONE, if there was never anything to or from it
     * @throws IllegalArgumentException if there cannot be such a node
     */
    public ConnectionStats stats(int nid) {
        checkOther(nid);
        final Connection known = agents.of(nid).known(nid);
        return known == null ? ConnectionStats.none(nid) : known.stats(clock.nowNs());
    }

    // ---- handlers ----

    /**
     * Handles messages of a type on the handlers' threads.
     *
     * @param <T> type of the messages
     * @param type of them
     * @param handler handles them
     * @throws IllegalArgumentException if there is one for the type's number already
     */
    public <T> void handle(MessageType<T> type, Handler<T> handler) {
        register(type, handler, false);
    }

    /**
     * Handles messages of a type right where they come in: faster, but everything waits meanwhile. They overtake those
     * of their lane that wait for a handler of {@link #handle}. Where there are several agents, messages of different
     * nodes may be handled at the same time.
     *
     * @param <T> type of the messages
     * @param type of them
     * @param handler handles them; must be short, and must not wait: where it sends and there is no room, that is FULL
     * @throws IllegalArgumentException if there is one for the type's number already
     */
    public <T> void handleShort(MessageType<T> type, Handler<T> handler) {
        register(type, handler, true);
    }

    private <T> void register(MessageType<T> type, Handler<T> handler, boolean isShort) {
        dispatcher.register(new Dispatcher.Entry(type,
            delivery -> handler.handle(delivery.from(), delivery.read(type)), isShort, false));
    }

    /**
     * Answers requests of a type on the handlers' threads.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param type of them
     * @param answerer answers them
     * @throws IllegalArgumentException if there is one for the type's number already
     */
    public <Q, R> void answer(RequestType<Q, R> type, Answerer<Q, R> answerer) {
        register(type, answerer, false);
    }

    /**
     * Answers requests of a type right where they come in: faster, but everything waits meanwhile. Where there are
     * several agents, requests of different nodes may be answered at the same time.
     *
     * @param <Q> type of the requests
     * @param <R> type of the answers
     * @param type of them
     * @param answerer answers them; must be short, and must not wait: where it sends and there is no room, that is
     *     FULL; its answer goes even so
     * @throws IllegalArgumentException if there is one for the type's number already
     */
    public <Q, R> void answerShort(RequestType<Q, R> type, Answerer<Q, R> answerer) {
        register(type, answerer, true);
    }

    private <Q, R> void register(RequestType<Q, R> type, Answerer<Q, R> answerer, boolean isShort) {
        dispatcher.register(new Dispatcher.Entry(type.request(), delivery -> {
            final R answer = answerer.answer(delivery.from(), delivery.read(type.request()));
            if (delivery.isRequest()) {
                delivery.respond(Scratch.write(delivery.from(), type.answer(), answer));
            }
        }, isShort, true));
    }

    // ---- sending ----

    /**
     * Sends a message in lane 0, whose messages are handled in any order. Returns when it is in the send buffer.
     *
     * @param <T> type of the message
     * @param nid to whom, not this node
     * @param type of the message
     * @param message what
     * @throws NetworkException if it was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE, REFUSED, LOST
     *     or CLOSED
     */
    public <T> void send(int nid, MessageType<T> type, T message) {
        send(nid, 0, type, message);
    }

    /**
     * Sends a message; those of a lane from 1 to 255 are handled in order.
     *
     * @param <T> type of the message
     * @param nid to whom, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param message what
     * @throws NetworkException if it was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE, REFUSED, LOST
     *     or CLOSED
     */
    public <T> void send(int nid, int lane, MessageType<T> type, T message) {
        checkLane(lane);
        sender.put(connection(nid), type.id(), lane, 0, null, Scratch.write(nid, type, message),
            config.sendTimeoutNs());
    }

    /**
     * Sends a message if there is room for it now, and else drops it.
     *
     * @param <T> type of the message
     * @param nid to whom, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param message what
     * @return false if it was dropped
     * @throws NetworkException if it was not sent for another reason: TOO_LARGE, UNREACHABLE, REFUSED, LOST or
     *     CLOSED
     */
    public <T> boolean offer(int nid, int lane, MessageType<T> type, T message) {
        checkLane(lane);
        final Connection to = connection(nid);
        final int result = sender.tryPut(to, type.id(), lane, 0, null, Scratch.write(nid, type, message), 0);
        if (result != Outgoing.OK && result != Outgoing.FULL) {
            throw sender.refused(to, result);
        }
        return result == Outgoing.OK;
    }

    /**
     * Sends one message to several nodes, each after the other; it is serialized once, or, if it is longer than 64 KiB,
     * for each of them. All of them together wait for room as long as one message may.
     *
     * @param <T> type of the message
     * @param nids to whom, not this node
     * @param lane 0 to 255
     * @param type of the message
     * @param message what
     * @return why it was not sent, by NID; empty if it was sent to all
     * @throws NetworkException TOO_LARGE, or CLOSED; some may have it if it is longer than 64 KiB, or the network is
     *     closed meanwhile
     */
    public <T> Map<Integer, NetworkException> multicast(Collection<Integer> nids, int lane, MessageType<T> type,
                                                        T message) {
        checkLane(lane);
        final List<Connection> all = nids.stream().distinct().map(this::connection).toList();
        final Scratch bytes = Scratch.write(config.nid(), type, message);
        final Parts<?> parts = bytes.parts();
        final long end = clock.nowNs() + config.sendTimeoutNs();
        final Map<Integer, NetworkException> failed = new TreeMap<>();
        for (Connection to : all) {
            if (parts != null) {
                parts.begin();
            }
            final long left = Math.max(end - clock.nowNs(), 0);
            final int result = sender.tryPut(to, type.id(), lane, 0, null, bytes, left);
            if (result != Outgoing.OK) {
                failed.put(to.nid, sender.refused(to, result));
            }
        }
        return failed;
    }

    private static void checkLane(int lane) {
        if ((lane & ~Frame.LANE_MAX) != 0) {
            throw new IllegalArgumentException("lane=" + lane + " is not in 0 to " + Frame.LANE_MAX);
        }
    }

    /**
     * Sends a request. What is chained to the future, if it is not by an {@code ...Async} method, runs on the agent's
     * thread: it must be short, is refused with FULL where there is no room to send, and cannot {@link #call}.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid to whom, not this node
     * @param type of the request
     * @param request what
     * @return ends once: with the answer, or with a {@link NetworkException}
     * @throws NetworkException if it was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE, REFUSED, LOST
     *     or CLOSED
     */
    public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request) {
        return request(nid, type, request, config.requestTimeoutNs());
    }

    /**
     * Sends a request with a deadline of its own.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid to whom, not this node
     * @param type of the request
     * @param request what
     * @param timeoutNs how long it may take, in nanoseconds, at least 1
     * @return ends once: with the answer, or with a {@link NetworkException}
     * @throws NetworkException if it was not sent: FULL, TIMED_OUT, INTERRUPTED, TOO_LARGE, UNREACHABLE, REFUSED, LOST
     *     or CLOSED
     */
    public <Q, R> CompletableFuture<R> request(int nid, RequestType<Q, R> type, Q request, long timeoutNs) {
        checkTimeout(timeoutNs);
        return begin(nid, type, request, timeoutNs, false).future;
    }

    private static void checkTimeout(long timeoutNs) {
        if (timeoutNs <= 0) {
            throw new IllegalArgumentException("timeoutNs=" + timeoutNs + " is less than 1");
        }
    }

    /** The same; says whether the thread does nothing but wait then, and may do the agent's work before. */
    <Q, R> Request<R> begin(int nid, RequestType<Q, R> type, Q request, long timeoutNs, boolean isAwaited) {
        final Scratch bytes = Scratch.write(nid, type.request(), request);
        final long deadlineNs = clock.nowNs() + Math.min(timeoutNs, TIMEOUT_NS_MAX);
        final Request<R> waiting = new Request<>(nid(), nid, deadlineNs, type.answer(), isAwaited);
        sender.put(connection(nid), type.request().id(), 0, Frame.REQUEST, waiting, bytes,
            Math.min(timeoutNs, config.sendTimeoutNs()));
        return waiting;
    }

    /**
     * Sends a request and waits for the answer; suits virtual threads.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid to whom, not this node
     * @param type of the request
     * @param request what
     * @return the answer
     * @throws NetworkException if there is none
     * @throws IllegalStateException on the agent's thread, which brings the answers: in a short handler, a listener, or
     *     what is chained to a request; and in what registers handlers as the network is opened
     * @throws InterruptedException if the thread is interrupted; the request may be handled all the same
     */
    public <Q, R> R call(int nid, RequestType<Q, R> type, Q request) throws InterruptedException {
        return call(nid, type, request, config.requestTimeoutNs());
    }

    /**
     * Sends a request with a deadline of its own and waits for the answer; suits virtual threads. An answer that is
     * being read at the deadline has as much time again, for its codec.
     *
     * @param <Q> type of the request
     * @param <R> type of the answer
     * @param nid to whom, not this node
     * @param type of the request
     * @param request what
     * @param timeoutNs how long it may take, in nanoseconds, at least 1
     * @return the answer
     * @throws NetworkException if there is none
     * @throws IllegalStateException on the agent's thread, as above
     * @throws InterruptedException if the thread is interrupted; the request may be handled all the same
     */
    public <Q, R> R call(int nid, RequestType<Q, R> type, Q request, long timeoutNs) throws InterruptedException {
        checkTimeout(timeoutNs);
        if (isAgent()) {
            throw new IllegalStateException("the agent's thread cannot wait for an answer: chain to a request");
        }
        if (isOpening) {
            throw new IllegalStateException("the network has not begun yet, so nobody brings an answer");
        }
        final Request<R> waiting;
        try {
            final boolean mayWrite = !Thread.currentThread().isVirtual();   // it could be without a processor for long
            waiting = begin(nid, type, request, timeoutNs, mayWrite);
        } catch (NetworkException e) {
            if (e.reason() == Reason.INTERRUPTED && Thread.interrupted()) {
                throw new InterruptedException(e.getMessage());
            }
            throw e;
        }
        for (int i = 0; i < YIELDS && requests.count() == 1 && !waiting.future.isDone(); i++) {
            Thread.yield();                                     // the answer may be here before it could sleep
        }
        try {
            return await(waiting, timeoutNs);
        } catch (InterruptedException e) {
            requests.end(waiting, Reason.INTERRUPTED, "who has called was interrupted");
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof NetworkException it) {
                throw new NetworkException(it.reason(), nid, it.what(), it.getCause());
            }
            throw new NetworkException(Reason.FAILED, nid, "the answer cannot be read", e.getCause());
        }
    }

    /**
     * Who waits ends its request itself: the agent looks now and then. If it cannot, the answer is being read, for
     * which there is as much time again.
     */
    private <R> R await(Request<R> waiting, long timeoutNs) throws InterruptedException, ExecutionException {
        try {
            return waiting.future.get(Math.max(waiting.deadlineNs - clock.nowNs(), 0), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            requests.expire(waiting);
        }
        try {
            return waiting.future.get(Math.min(timeoutNs, TIMEOUT_NS_MAX), TimeUnit.NANOSECONDS);
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

    private boolean isAgent() {
        final AgentThreads all = threads;
        return all != null && all.isOne(Thread.currentThread());
    }

    // ---- the end ----

    /**
     * Takes no more messages, waits up to two seconds, or what is configured, until those arrive that were sent to
     * nodes that can be reached, and ends all connections and threads. Requests that wait end with CLOSED; handlers
     * come to their end, also for messages that wait for them, however long that takes. In a handler it does not wait
     * for other handlers, and on the agent's thread for nothing.
     */
    @Override
    public void close() {
        sender.close();
        final AgentThreads running = threads;
        if (running == null) {
            agents.all().forEach(Node::close);
            rings.close();
        } else {
            running.close();
        }
        if (workers != null && !isAgent()) {
            workers.close();
        }
    }

    // ---- checking ----

    /**
     * Audits its agents and what they share, each recomputing its sums: memory of rings is that of sessions, and each
     * request that was sent waits or has ended once. For tests and the simulator, while nobody does anything.
     *
     * @throws IllegalStateException which says what is wrong
     */
    void audit() {
        requests.audit();
        rings.audit();
        agents.links().audit();
        agents.all().forEach(Node::audit);
        final long ringBytes = agents.all().stream().mapToLong(Node::ringBytes).sum();
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
