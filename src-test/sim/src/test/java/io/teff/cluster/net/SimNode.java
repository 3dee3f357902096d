package io.teff.cluster.net;

import io.teff.engine.codec.Codecs;
import io.teff.engine.codec.Schema;
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

/** A node of the simulation: a network without threads, what it has sent, and what it was sent. */
final class SimNode implements Executor, NetworkListener {
    /** Those in parts are read as they come, those of requests collected. */
    private static final MessageType<byte[]> MESSAGES = MessageType.of(1, Schema.of(byte[].class));
    private static final RequestType<byte[], byte[]> REQUESTS = RequestType.of(2, Codecs.BYTES, Codecs.BYTES);
    private static final MessageType<Bomb> BOMBS = MessageType.of(3, Schema.builder(Bomb.class)
        .lookup(MethodHandles.lookup()).storeAs(Fuse.class, String.class, Fuse::burn, Fuse::new).build());
    private static final int NUMBER_BYTES = 2 * Long.BYTES;
    private static final long SECOND = 1_000_000_000;
    /** With fewer links nodes wait for each other's, which takes minutes over slow ones. */
    private static final int FEW = 4;
    private static final long AWAY = 6 * SECOND;
    private static final long AWAY_FEW = 5000 * SECOND;
    /** The longest pause in front of a dial, two handshakes, and turns of agents that come late. */
    private static final long RECOVERY = 3 * SECOND;

    /** A message that cannot be written to its end. */
    private record Bomb(byte[] front, Fuse fuse) {}

    private record Fuse(String text) {
        String burn() {
            throw new UnsupportedOperationException(text);
        }
    }
    private static final int AGENTS_MAX = 3;

    /** A session that is established. */
    private record Known(Session session, Set<Long> ids) {}

    /** Where messages of one lane go. */
    private record Stream(int nid, int lane) {}

    final int nid;
    final Network network;
    private final SimWorld world;
    private final int linksMax;
    private final List<Runnable> tasks = new ArrayList<>();
    /** The session that each message of a stream was put into, by its number. */
    private final Map<Stream, List<Object>> sent = new HashMap<>();
    private final Map<Stream, Set<Long>> seen = new HashMap<>();
    /** Nodes with which a session was lost, by either side: from then on messages may be missing, or late. */
    private final Set<Integer> losses = new HashSet<>();
    private final BiConsumer<Integer, Integer> tellLoss;
    /** The session with each node, and all ids that it has had. */
    private final Map<Integer, Known> known = new HashMap<>();
    /** Ids of sessions that have ended, by the other node. */
    private final Map<Integer, Set<Long>> dead = new HashMap<>();
    private final IntFunction<SimNode> others;
    /** It is being closed: so its sessions end. */
    private boolean isClosing;
    private final List<CompletableFuture<byte[]>> requests = new ArrayList<>();
    /** Those of the end. */
    private final List<CompletableFuture<byte[]>> last = new ArrayList<>();
    private @Nullable AssertionError failure;
    int received;
    int answered;
    int failed;
    int refused;
    /** Sessions that it has lost as no link came in time. */
    int late;

    /** At most so many links, so that they must rest, if there are fewer than other nodes. */
    SimNode(SimWorld world, int nid, long incarnation, int linksMax, BiConsumer<Integer, Integer> tellLoss,
            IntFunction<SimNode> others) {
        this.world = world;
        this.nid = nid;
        this.linksMax = linksMax;
        this.tellLoss = tellLoss;
        this.others = others;
        final List<SimTransport> transports = world.add(nid, 1 + world.random.nextInt(AGENTS_MAX));
        final NetworkConfig config = NetworkConfig.builder(nid).listen(SimTransport.address(nid))
            .addresses(SimTransport::address).handlers(this).listener(this).sendTimeoutNs(0)
            .ringBytes(1 << 14, 1 << 14 << world.random.nextInt(4)).windowBytes(1 << 18 << world.random.nextInt(3))
            .requestTimeoutNs(20 * SECOND).silenceNs(SECOND).linksMax(linksMax)
            .awayNs(awayNs()).reachNs(awayNs()).checksums(world.hasChecksums ? "sim" : "none").build();
        try {
            network = new Network(config, world, world.random.split(),
                transports.stream().map(it -> new Transports(Map.of("sim", () -> it), false)).toList(), incarnation);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        network.handle(MESSAGES, this::see);
        network.handle(BOMBS, (from, bomb) -> check(false, "a message that was never written came from " + from));
        if (world.random.nextBoolean()) {
            network.answer(REQUESTS, (from, bytes) -> bytes);
        } else {
            network.answerShort(REQUESTS, (from, bytes) -> bytes);
        }
    }

    /** Goes on with the numbers of an earlier incarnation, whose sessions have ended. */
    void goOn(SimNode before) {
        before.sent.forEach((stream, sessions) -> sent.put(stream, new ArrayList<>(sessions)));
        dead.putAll(before.dead);
    }

    // ---- what it does ----

    /** One of its agents has its turn. */
    void work() {
        final List<Node> all = network.agents().all();
        all.get(world.random.nextInt(all.size())).doWork();
        check();
    }

    /** All of them have. */
    int workAll() {
        final int work = network.agents().all().stream().mapToInt(Node::doWork).sum();
        check();
        return work;
    }

    private void check() {
        if (failure != null) {
            throw failure;
        }
        int links = 0;
        for (Node agent : network.agents().all()) {
            for (Connection it : agent.connections()) {
                links += it.channel == null ? 0 : 1;
                remember(it);
            }
        }
        check(links <= linksMax, "node " + nid + " has " + links + " links, not " + linksMax);
    }

    private void remember(Connection connection) {
        final Session its = connection.known();
        if (its != null && its.isEstablished()) {
            final Known before = known.get(connection.nid);
            if (before == null || before.session != its) {
                known.put(connection.nid, new Known(its, new HashSet<>()));
            }
            Objects.requireNonNull(known.get(connection.nid)).ids.add(its.id());
        }
    }

    private long awayNs() {
        return linksMax < FEW ? AWAY_FEW : AWAY;
    }

    /** How many of its links were closed to rest. */
    long rested() {
        return network.stats().linksRested();
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs some task that waits; false if there is none. */
    boolean handle() {
        if (tasks.isEmpty()) {
            return false;
        }
        tasks.remove(world.random.nextInt(tasks.size())).run();
        check();
        return true;
    }

    /** Without a period: else what is repeated on its way could be right. */
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

    /** Begins a message and does not come to its end. */
    void sendBomb(int to, int lane, int length) {
        try {
            network.send(to, lane, BOMBS, new Bomb(new byte[length], new Fuse("planned")));
            check(false, "a message that cannot be written was sent");
        } catch (UnsupportedOperationException | NetworkException e) {
            refused++;
        }
    }

    void request(int to, int length) {
        final byte[] content = content(0, requests.size(), length);
        try {
            final boolean isAwaited = requests.size() % 2 == 0; // then it is written here
            requests.add(network.begin(to, REQUESTS, content, 20 * SECOND, isAwaited).future.thenApply(answer -> {
                if (!Arrays.equals(answer, content)) {
                    throw new AssertionError("another answer");
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
        check(requests.size() > before, "node " + nid + " finds no room at the end");
        last.add(requests.getLast());
    }

    // ---- what it sees ----

    private void see(int from, byte[] bytes) {
        final ByteBuffer head = ByteBuffer.wrap(bytes);
        final int lane = (int) head.getLong();
        final long number = head.getLong();
        for (int i = NUMBER_BYTES; i < bytes.length; i++) {
            check(bytes[i] == pattern(number, i), "byte " + i + " of message " + number + " is wrong");
        }
        received++;
        final Set<Long> numbers = seen.computeIfAbsent(new Stream(from, lane), _ -> new HashSet<>());
        final boolean isNext = number == 0 || numbers.contains(number - 1);
        check(lane == 0 || isNext || !others.apply(from).isOneSession(nid, lane, number), "node " + nid
            + " sees message " + number + " of node " + from + ", lane " + lane + ", before the one in front of it");
        check(numbers.add(number), "node " + nid + " sees message " + number + " of node " + from + ", lane " + lane
            + ", twice");
    }

    private @Nullable Session session(int other) {
        final Connection its = network.agents().of(other).known(other);
        return its == null ? null : its.known();
    }

    /** Whether a message was put into the same session as the one in front of it. */
    @SuppressWarnings("ReferenceEquality")
    private boolean isOneSession(int to, int lane, long number) {
        final List<Object> its = Objects.requireNonNull(sent.get(new Stream(to, lane)));
        return its.get((int) number) == its.get((int) number - 1);
    }

    /** All messages of the session that goes on must have been seen, whatever became of earlier ones. */
    @SuppressWarnings("ReferenceEquality")
    void checkArrived(SimNode to, int lane) {
        final List<Object> its = sent.getOrDefault(new Stream(to.nid, lane), List.of());
        final Set<Long> numbers = to.seen.getOrDefault(new Stream(nid, lane), Set.of());
        final Session now = session(to.nid);
        for (int number = 0; number < its.size(); number++) {
            check(numbers.contains((long) number) || hasLost(to.nid) && its.get(number) != now,
                "message " + number + " of node " + nid + " to node " + to.nid + ", lane " + lane + ", is missing");
        }
    }

    /** The other node has lost a session with this one. */
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
            failure = new AssertionError("node " + nid + " lost a session with " + other + " without need: " + why);
        }
        tellLoss.accept(nid, other);
        losses.add(other);
    }

    /** Whether a session could end: the other node has ended it, or there was no time to make a link. */
    private boolean isRight(int other, Set<Long> ids) {
        if (!world.hasFaults) {
            return false;
        }
        final SimNode its = others.apply(other);
        if (its.hasEnded(nid, ids)) {
            return true;
        }
        late++;
        return world.longestCalmNs(nid, other, !its.isCalling(nid), world.nanoTime() - awayNs()) < RECOVERY;
    }

    private boolean hasEnded(int other, Set<Long> ids) {
        return !Collections.disjoint(dead.getOrDefault(other, Set.of()), ids);
    }

    /** Whether it dials as well, if there is no link. */
    private boolean isCalling(int other) {
        final Session session = session(other);
        return session != null && !session.connection.isResting && (session.isEstablished() || !session.out.isEmpty());
    }

    /** Ends it; others will be told, or find out. */
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
        failure = new AssertionError("node " + nid + " cannot handle type " + type + " of node " + from, thrown);
    }

    private static void check(boolean isRight, String what) {
        if (!isRight) {
            throw new AssertionError(what);
        }
    }

    // ---- the end ----

    /** How many messages of a stream it has sent. */
    long sent(int to, int lane) {
        return sent.getOrDefault(new Stream(to, lane), List.of()).size();
    }

    private boolean hasLost(int other) {
        return losses.contains(other);
    }

    /** The requests of the end are answered. */
    void checkLast() {
        for (CompletableFuture<byte[]> request : last) {
            check(request.state() == Future.State.SUCCESS, "a request of node " + nid + " at the end: " + request);
        }
    }

    /** Counts requests; each must have ended. */
    void checkRequests() {
        for (CompletableFuture<byte[]> request : requests) {
            check(request.isDone(), "a request of node " + nid + " has not ended");
            if (request.state() == Future.State.FAILED) {
                final Throwable thrown = request.exceptionNow();
                check(thrown instanceof CompletionException && thrown.getCause() instanceof NetworkException
                    || thrown instanceof NetworkException, "a request has failed by " + thrown);
                failed++;
            } else {
                answered++;
            }
        }
    }
}
