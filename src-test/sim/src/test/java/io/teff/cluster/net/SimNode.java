package io.teff.cluster.net;

import io.teff.cluster.net.agent.Agent;
import io.teff.cluster.net.agent.Connection;
import io.teff.cluster.net.agent.LinkState;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.MessageType;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.ring.SendRing;
import io.teff.cluster.net.stream.Delivery;
import io.teff.cluster.net.stream.FragmentTable;
import io.teff.cluster.net.stream.RetainedBytes;
import io.teff.cluster.net.stream.Session;
import io.teff.cluster.net.wire.Frame;
import io.teff.engine.codec.schema.Codecs;
import io.teff.engine.codec.schema.Schema;
import io.teff.test.links.SimTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** A node of the simulation: a network without threads, the messages it has sent, and those it has received. */
final class SimNode implements Executor, NetworkListener {
    /** Messages in parts are read incrementally, requests in parts are collected. */
    private static final MessageType<byte[]> MESSAGES = MessageType.of(1, Schema.of(byte[].class));
    private static final RequestType<byte[], byte[]> REQUESTS = RequestType.of(2, Codecs.BYTES, Codecs.BYTES);
    private static final MessageType<Bomb> BOMBS = MessageType.of(3, Schema.builder(Bomb.class)
        .lookup(MethodHandles.lookup()).storeAs(Fuse.class, String.class, Fuse::burn, Fuse::new).build());
    private static final int NUMBER_BYTES = 2 * Long.BYTES;
    private static final long SECOND = 1_000_000_000;
    /** With fewer links, nodes wait for each other's, which takes minutes over slow ones. */
    private static final int FEW = 4;
    private static final long AWAY = 6 * SECOND;
    private static final long AWAY_FEW = 5000 * SECOND;
    /** The longest pause before a dial, two handshakes, and delayed turns of agents. */
    private static final long RECOVERY = 3 * SECOND;

    private static final int AGENTS_MAX = 3;
    private static final int RING_BYTES = 1 << 14;
    private static final int RING_BYTES_MAX = RING_BYTES << 3;
    /** Longer than any message of the nodes. */
    private static final int MESSAGE_BYTES_MAX = (1 << 17) + (1 << 10);
    /** An array that grows takes at most four times its bytes. */
    private static final int ARRAY_FACTOR = 4;

    /** A message that cannot be written completely. */
    private record Bomb(byte[] front, Fuse fuse) {}

    private record Fuse(String text) {
        String burn() {
            throw new UnsupportedOperationException(text);
        }
    }

    /** An established session. */
    private record Known(Session session, Set<Long> ids) {}

    /** The destination of the messages of one lane. */
    private record Stream(int nid, int lane) {}

    final int nid;
    final Network network;
    private final SimWorld world;
    private final long incarnation;
    private final int linksMax;
    private final int ringBytesMax;
    private final long windowBytes;
    private final List<Runnable> tasks = new ArrayList<>();
    /** The session into which each message of a stream was put, by message number. */
    private final Map<Stream, List<Object>> sent = new HashMap<>();
    private final Map<Stream, Set<Long>> seen = new HashMap<>();
    /** Nodes with which a session was lost, on either side: from then on messages may be missing or late. */
    private final Set<Integer> losses = new HashSet<>();
    private final BiConsumer<Integer, Integer> tellLoss;
    /** The session with each node, and all ids that it has had. */
    private final Map<Integer, Known> known = new HashMap<>();
    /** Ids of ended sessions, by the other node. */
    private final Map<Integer, Set<Long>> dead = new HashMap<>();
    private final IntFunction<SimNode> others;
    /** The node is being closed, so its sessions end. */
    private boolean isClosing;
    private final List<CompletableFuture<byte[]>> requests = new ArrayList<>();
    /** The requests at the end of the history. */
    private final List<CompletableFuture<byte[]>> last = new ArrayList<>();
    private @Nullable AssertionError failure;
    int received;
    int answered;
    int failed;
    int refused;
    /** Number of sessions lost because no link was made in time. */
    int late;

    /** Creates a node with at most {@code linksMax} links, so that links must rest if there are more other nodes. */
    SimNode(SimWorld world, int nid, long incarnation, int linksMax, BiConsumer<Integer, Integer> tellLoss,
            IntFunction<SimNode> others) {
        this.world = world;
        this.nid = nid;
        this.incarnation = incarnation;
        this.linksMax = linksMax;
        this.tellLoss = tellLoss;
        this.others = others;
        final List<SimTransport> transports = world.add(nid, 1 + world.random.nextInt(AGENTS_MAX));
        this.ringBytesMax = RING_BYTES << world.random.nextInt(4);
        this.windowBytes = 1L << 18 << world.random.nextInt(3);
        final NetworkConfig.Builder config = NetworkConfig.builder(nid).listen(SimTransport.address(nid))
            .addresses(SimTransport::address).handlers(this).listener(this).sendTimeoutNs(0)
            .ringBytes(RING_BYTES, ringBytesMax).windowBytes(windowBytes)
            .requestTimeoutNs(20 * SECOND).silenceNs(SECOND).linksMax(linksMax)
            .awayNs(awayNs()).reachNs(awayNs()).checksums(world.hasChecksums ? "sim" : "none");
        world.plant.configure(config);
        try {
            network = new Network(config.build(), world, world.random.split(),
                transports.stream().map(it -> new Transports(Map.of("sim", () -> it), false)).toList(), incarnation);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        world.plant.begin(network);
        network.handle(MESSAGES, world.plant.handler(this::see));
        network.handle(BOMBS, (from, _) -> {
            throw Oracle.ONCE.broken("a message that was never written came from " + from);
        });
        if (world.random.nextBoolean()) {
            network.answer(REQUESTS, (_, bytes) -> world.plant.answer(bytes));
        } else {
            network.answerShort(REQUESTS, (_, bytes) -> world.plant.answer(bytes));
        }
    }

    /** Continues the numbers of an earlier incarnation, whose sessions have ended. */
    void goOn(SimNode before) {
        if (world.plant.isGoingOn()) {
            before.sent.forEach((stream, sessions) -> sent.put(stream, new ArrayList<>(sessions)));
        }
        dead.putAll(before.dead);
    }

    // ---- actions ----

    /** Runs one of the agents. */
    void work() {
        final List<Agent> all = network.agents().all();
        all.get(world.random.nextInt(all.size())).doWork();
        check();
    }

    /** Runs each agent once. */
    int workAll() {
        final int work = network.agents().all().stream().mapToInt(Agent::doWork).sum();
        check();
        return work;
    }

    private void check() {
        if (failure != null) {
            throw failure;
        }
        int links = 0;
        for (Agent agent : network.agents().all()) {
            for (Connection it : agent.connections()) {
                links += it.channel() == null ? 0 : 1;
                remember(it);
            }
        }
        check(links <= linksMax, Oracle.LINKS, links + " links, not " + linksMax);
    }

    private void remember(Connection connection) {
        final Session its = connection.known();
        if (its != null && its.isEstablished()) {
            final Known before = known.get(connection.nid());
            if (before == null || before.session != its) {
                known.put(connection.nid(), new Known(its, new HashSet<>()));
            }
            Objects.requireNonNull(known.get(connection.nid())).ids.add(its.id());
        }
    }

    private long awayNs() {
        return linksMax < FEW ? AWAY_FEW : AWAY;
    }

    /** Returns the number of links that were put to rest. */
    long rested() {
        return network.stats().linksRested();
    }

    @Override
    public void execute(Runnable task) {
        world.plant.execute(tasks, task);
    }

    /** Runs a random waiting task; returns false if there is none. */
    boolean handle() {
        if (tasks.isEmpty() || !world.plant.isHandling()) {
            return false;
        }
        tasks.remove(world.random.nextInt(tasks.size())).run();
        check();
        return true;
    }

    /** A pattern without a period: otherwise bytes repeated in flight could look right. */
    private static byte pattern(long number, int at) {
        return (byte) ((number * 31 + at) * 0x9E3779B97F4A7C15L >>> 56);
    }

    private byte[] content(int lane, long number, int length) {
        final byte[] bytes = new byte[NUMBER_BYTES + length];
        ByteBuffer.wrap(bytes).putLong(lane).putLong(number);
        for (int i = NUMBER_BYTES; i < bytes.length; i++) {
            bytes[i] = pattern(number, i);
        }
        return bytes;
    }

    void send(int to, int lane, int length) {
        final Stream stream = new Stream(to, lane);
        try {
            network.send(to, lane, MESSAGES, content(lane, sent(to, lane), length));
            final Session its = session(to);
            sent.computeIfAbsent(stream, _ -> new ArrayList<>()).add(its == null ? new Object() : its);
        } catch (NetworkException e) {
            refused++;
        }
    }

    /** Begins a message that fails before its end. */
    void sendBomb(int to, int lane, int length) {
        try {
            network.send(to, lane, BOMBS, new Bomb(new byte[length], new Fuse("planned")));
            throw Oracle.ONCE.broken("node " + nid + ": a message that cannot be written was sent");
        } catch (UnsupportedOperationException | NetworkException e) {
            refused++;
        }
    }

    void request(int to, int length) {
        final byte[] content = content(0, requests.size(), length);
        try {
            final boolean isAwaited = requests.size() % 2 == 0; // then it is written here
            final CompletableFuture<byte[]> its = network.begin(to, REQUESTS, content, 20 * SECOND, isAwaited).future();
            requests.add(world.plant.future(its).thenApply(answer -> {
                if (!Arrays.equals(answer, content)) {
                    fail(Oracle.CONTENT.broken("node " + nid + ": another answer of node " + to));
                }
                return answer;
            }));
        } catch (NetworkException e) {
            refused++;
        }
    }

    /** Sends a request that must be answered. */
    void requestAtLast(int to) {
        final int before = requests.size();
        request(to, 1);
        check(requests.size() > before, Oracle.REQUEST, "there is no room for one at the end");
        last.add(requests.getLast());
    }

    // ---- observations ----

    private void see(int from, byte[] bytes) {
        final ByteBuffer head = ByteBuffer.wrap(bytes);
        final int lane = (int) head.getLong();
        final long number = head.getLong();
        for (int i = NUMBER_BYTES; i < bytes.length; i++) {
            if (bytes[i] != pattern(number, i)) {
                throw Oracle.CONTENT.broken("node " + nid + ": byte " + i + " of message " + number + " is wrong");
            }
        }
        received++;
        final Set<Long> numbers = seen.computeIfAbsent(new Stream(from, lane), _ -> new HashSet<>());
        final boolean isNext = number == 0 || numbers.contains(number - 1);
        final String what = "message " + number + " of node " + from + ", lane " + lane;
        check(lane == 0 || isNext || !others.apply(from).isOneSession(nid, lane, number), Oracle.ORDER, what
            + ", comes before the one in front of it");
        check(numbers.add(number), Oracle.ONCE, what + ", comes twice");
    }

    private @Nullable Session session(int other) {
        final Connection its = network.agents().of(other).known(other);
        return its == null ? null : its.known();
    }

    /** Whether a message was put into the same session as the one before it. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isOneSession(int to, int lane, long number) {
        final List<Object> its = Objects.requireNonNull(sent.get(new Stream(to, lane)));
        return its.get((int) number) == its.get((int) number - 1);
    }

    /** Checks that all messages of the current session were received, independent of earlier sessions. */
    @SuppressWarnings("ReferenceEquality")
    void checkArrived(SimNode to, int lane) {
        final List<Object> its = sent.getOrDefault(new Stream(to.nid, lane), List.of());
        final Set<Long> numbers = to.seen.getOrDefault(new Stream(nid, lane), Set.of());
        final Session now = session(to.nid);
        for (int number = 0; number < its.size(); number++) {
            check(numbers.contains((long) number) || hasLost(to.nid) && its.get(number) != now, Oracle.ARRIVAL,
                "message " + number + " to node " + to.nid + ", lane " + lane + ", is missing");
        }
    }

    /** Called when the other node has lost a session with this one. */
    void lostByOther(int other) {
        losses.add(other);
    }

    @Override
    public void lost(int other, long messages, String why) {
        world.trace("node " + nid + " lost " + messages + " messages to " + other + ": " + why);
        final Known its = known.remove(other);
        final Set<Long> ids = its == null ? Set.of() : its.ids;
        dead.computeIfAbsent(other, _ -> new HashSet<>()).addAll(ids);
        if (!isClosing && !isRight(other, ids)) {
            fail(Oracle.SESSION.broken("node " + nid + ": lost one with " + other + " without need: " + why));
        }
        tellLoss.accept(nid, other);
        losses.add(other);
    }

    /** Whether the end of a session is justified: the other node has ended it, or there was no time to make a link. */
    private boolean isRight(int other, Set<Long> ids) {
        if (!world.hasFaults) {
            return false;
        }
        final SimNode its = others.apply(other);
        if (its.hasEnded(nid, ids)) {
            return true;
        }
        late++;
        return world.longestCalmNs(nid, other, !its.isCalling(nid), world.nowNs() - awayNs()) < RECOVERY;
    }

    private boolean hasEnded(int other, Set<Long> ids) {
        return !Collections.disjoint(dead.getOrDefault(other, Set.of()), ids);
    }

    /** Whether this node also dials, if there is no link. */
    private boolean isCalling(int other) {
        final Session session = session(other);
        return session != null && ((Connection) session.peer()).state() != LinkState.RESTING
            && (session.isEstablished() || !session.out.isEmpty());
    }

    /** Closes the node; the others are notified or detect it. */
    void close() {
        network.agents().all().forEach(agent -> agent.connections().forEach(this::remember));
        isClosing = true;
        network.close();
    }

    @Override
    public void up(int other) {
        world.trace("node " + nid + " has a link to " + other);
        remember(network.agents().of(other).connection(other));
    }

    @Override
    public void away(int other, @Nullable Throwable why) {
        world.trace("node " + nid + " has no link to " + other + ": " + why);
    }

    @Override
    public void resting(int other) {
        world.trace("node " + nid + " lets the link to " + other + " rest");
    }

    @Override
    public void failed(int from, int type, Throwable thrown) {
        fail(thrown instanceof AssertionError its ? its
            : Oracle.HANDLER.broken("node " + nid + ": type " + type + " of node " + from + ": " + thrown));
    }

    /** Keeps the first error found inside the network's calls, to be thrown after them. */
    private void fail(AssertionError found) {
        failure = failure == null ? found : failure;
    }

    private void check(boolean isRight, Oracle by, String what) {
        if (!isRight) {
            throw by.broken("node " + nid + ": " + what);
        }
    }

    // ---- its memory ----

    /** Audits the structures, and checks the bounds of all memory. */
    void audit() {
        try {
            network.audit();
        } catch (IllegalStateException e) {
            throw Oracle.AUDIT.broken("node " + nid + ": " + e.getMessage());
        }
        for (Agent agent : network.agents().all()) {
            check(agent.ringBytes() <= agent.sessionCount() * ringsBytes(ringBytesMax), Oracle.MEMORY,
                agent.ringBytes() + " bytes of rings for " + agent.sessionCount() + " sessions");
            for (Connection it : agent.connections()) {
                final Session its = it.known();
                if (its != null) {
                    audit(its);
                }
            }
        }
    }

    /**
     * Checks that all messages on their way to handlers are present, and at most the window plus the frames without
     * credit.
     */
    private void audit(Session session) {
        final RetainedBytes held = new RetainedBytes();
        session.addTo(held);
        for (Runnable task : tasks) {
            if (task instanceof Delivery it && it.origin() == session) {
                it.addTo(held);
            }
        }
        check(held.creditBytes == session.heldBytes(), Oracle.CREDIT, session.heldBytes() + " bytes of node "
            + session.nid() + " are not handled, but " + held.creditBytes + " wait");
        final long kept = held.creditBytes + held.collectedBytes;
        check(held.creditBytes - held.collectedBytes <= windowBytes + Frame.BYTES_MAX + ringsBytes(RING_BYTES_MAX),
            Oracle.MEMORY, held.creditBytes + " bytes wait, " + held.collectedBytes + " of them collected");
        check(held.collectedBytes <= windowBytes + 2L * FragmentTable.COUNT_MAX * MESSAGE_BYTES_MAX, Oracle.MEMORY,
            held.collectedBytes + " bytes are collected");
        check(held.arrayBytes <= ARRAY_FACTOR * kept, Oracle.MEMORY, held.arrayBytes + " bytes of arrays for " + kept);
        check(held.answerBytes <= windowBytes + MESSAGE_BYTES_MAX, Oracle.MEMORY, held.answerBytes
            + " bytes of answers wait for room");
        check(held.messageBytes <= windowBytes + MESSAGE_BYTES_MAX, Oracle.MEMORY, held.messageBytes
            + " bytes of rests of messages wait for room");
    }

    /** Returns the bytes of all rings of one session, each twice as large as the one before. */
    private static long ringsBytes(int capacityMax) {
        return SendRing.bytes(2 * capacityMax);
    }

    /** Checks that both sides of a session agree on its streams. */
    void checkPair(SimNode to) {
        final Session mine = session(to.nid);
        final Session its = to.session(nid);
        if (mine == null || its == null || !mine.isSure() || !its.isSure() || mine.id() != its.id()
            || !mine.isWith(to.incarnation) || !its.isWith(incarnation)) {
            return;
        }
        final long acked = mine.out.acked();
        final long end = acked + mine.out.unacknowledgedBytes();
        final long received = its.in.position();
        check(acked <= received && received <= end, Oracle.PAIR, "node " + to.nid + " has received " + received
            + ", not between " + acked + " and " + end);
        check(mine.peerLimit() <= its.toldLimit(), Oracle.PAIR, "node " + to.nid + " takes bytes to "
            + its.toldLimit() + ", not to " + mine.peerLimit());
    }

    /** Checks that no memory is kept when nothing is in flight. */
    void checkNothingKept() {
        final long bytes = network.agent().rings().takenBytes();
        check(bytes == 0, Oracle.MEMORY, bytes + " bytes of rings at the end");
    }

    /** Checks that no link is left after a close. */
    void checkNoLinks() {
        final int count = network.agents().links().count();
        check(count == 0, Oracle.LINKS, count + " at the end");
    }

    // ---- the end ----

    /** Returns the number of messages sent in a stream. */
    long sent(int to, int lane) {
        return sent.getOrDefault(new Stream(to, lane), List.of()).size();
    }

    private boolean hasLost(int other) {
        return losses.contains(other);
    }

    /** Checks that the requests at the end of the history are answered. */
    void checkLast() {
        for (CompletableFuture<byte[]> request : last) {
            check(request.state() == Future.State.SUCCESS, Oracle.REQUEST, "one at the end: " + request);
        }
    }

    /** Counts requests, each of which must have ended. */
    void checkRequests() {
        for (CompletableFuture<byte[]> request : requests) {
            check(request.isDone(), Oracle.REQUEST, "one has not ended");
            if (request.state() == Future.State.FAILED) {
                final Throwable thrown = request.exceptionNow();
                check(thrown instanceof CompletionException && thrown.getCause() instanceof NetworkException
                    || thrown instanceof NetworkException, Oracle.REQUEST, "one has failed by " + thrown);
                failed++;
            } else {
                answered++;
            }
        }
    }
}
