package io.teff.cluster.peer;

import io.teff.cluster.message.CellMessages;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import java.io.Serial;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * True time, events in their order, and a network that delays, doubles, reorders and loses messages and can be cut. All
 * that happens follows from the seed.
 */
final class SimWorld {
    static final long MS = 1_000_000;
    private static final int TOLD = Integer.getInteger("told", 60);
    private static final int NODES_MAX = 256;
    private static final int ANY = -1;

    final SplittableRandom random;
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<SimNode> nodes = new ArrayList<>();
    private final Map<Integer, SimNode> byNid = new HashMap<>();
    private final boolean[] cut = new boolean[NODES_MAX * NODES_MAX];
    private final long[] lastArrivals = new long[NODES_MAX * NODES_MAX];
    private final Deque<Told> told = new ArrayDeque<>();
    private final int lossPerMille;
    private final int doublePerMille;
    private final long latencyNs;
    private final boolean isInOrder;
    private long nowNs = 1_000 * MS;
    private long numbers;
    private long trace = 1;
    private boolean isHealed;
    private boolean isInside;
    private int stopOdds;
    private @Nullable AssertionError failure;
    private SimWire wire = new ModelWire(this);
    private Runnable oracle = () -> { };
    private long messages;
    private long lost;
    private long stops;

    /** Something that happens at a node, in a certain process of it or in any, or in the world. */
    private record Event(long atNs, long number, @Nullable SimNode node, int process, Runnable task)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return atNs != other.atNs ? Long.compare(atNs, other.atNs) : Long.compare(number, other.number);
        }
    }

    private record Told(long atNs, Supplier<String> what) {}

    SimWorld(long seed) {
        random = new SplittableRandom(seed);
        lossPerMille = random.nextInt(3) == 0 ? random.nextInt(60) : 0;
        doublePerMille = random.nextInt(3) == 0 ? random.nextInt(100) : 0;
        latencyNs = (1 + random.nextInt(4)) * MS / 2;
        isInOrder = random.nextBoolean();
        stopOdds = random.nextInt(3) == 0 ? 0 : 50 + random.nextInt(250);
    }

    // ---- time ----

    long nowNs() {
        return nowNs;
    }

    /** Returns how messages travel. */
    SimWire wire() {
        return wire;
    }

    void wire(SimWire value) {
        wire = value;
    }

    void oracle(Runnable value) {
        oracle = value;
    }

    /** Does something in the current process of a node, unless it ends before. */
    void after(SimNode node, long ns, Runnable task) {
        events.add(new Event(nowNs + ns, numbers++, node, node.process, task));
    }

    /** Does something in the world. */
    void after(long ns, Runnable task) {
        events.add(new Event(nowNs + ns, numbers++, null, 0, task));
    }

    /** Repeats something in the current process of a node, which returns when it is due again, or -1 to end. */
    void repeat(SimNode node, long ns, Supplier<Long> task) {
        after(node, ns, () -> {
            long next = task.get();
            if (next >= 0) {
                repeat(node, next, task);
            }
        });
    }

    long between(long fromNs, long toNs) {
        return fromNs + random.nextLong(toNs - fromNs + 1);
    }

    /** Runs until a time, or until a condition holds. Returns whether it held. */
    boolean run(long untilNs, BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Event event = events.peek();
            if (event == null || event.atNs() > untilNs) {
                nowNs = Math.max(nowNs, untilNs);
                return false;
            }
            events.remove();
            nowNs = Math.max(nowNs, event.atNs());
            happen(event);
        }
        return true;
    }

    private void happen(Event event) {
        SimNode node = event.node();
        if (node != null) {
            if (!node.isUp || event.process() != ANY && node.process != event.process()) {
                return;
            }
            if (node.pausedUntilNs > nowNs) {
                events.add(new Event(node.pausedUntilNs, event.number(), node, event.process(), event.task()));
                return;
            }
            node.awake();
        }
        trace = trace * 31 + event.atNs() ^ event.number();
        try {
            event.task().run();
        } catch (Killed e) {
            trace++;                                            // a process that is killed does nothing more
        }
        oracle.run();
        if (failure != null) {
            throw failure;
        }
    }

    /**
     * Stops a process in the middle of what it is doing, now and then: the others go on meanwhile. What the process
     * does afterwards may come too late. Other threads of the process go on at the end of the stop.
     */
    void mayStop(SimNode node) {
        mayStop(node, false);
    }

    /** Does what {@link #mayStop} does, inside of what the process's other threads wait for. */
    void mayStopAlone(SimNode node) {
        mayStop(node, true);
    }

    private void mayStop(SimNode node, boolean isAlone) {
        if (isInside || isHealed || stopOdds == 0 || random.nextInt(stopOdds) != 0) {
            return;
        }
        isInside = true;
        stops++;
        int process = node.process;
        node.pause(random.nextInt(2) == 0 ? between(800 * MS, 2_500 * MS) : between(1, 100 * MS),
            random.nextInt(4) == 0);
        tell(node + " stops inside of an operation");
        while (node.process == process && node.pausedUntilNs > nowNs) {
            long until = node.pausedUntilNs;
            run(isAlone ? until - 1 : until, () -> node.process != process);
            if (isAlone && node.process == process && node.pausedUntilNs == until) {
                nowNs = until;
            }
        }
        isInside = false;
        if (node.process != process) {
            throw new Killed();
        }
        node.awake();
    }

    /** Ends what a process was doing when it was killed. */
    private static final class Killed extends Error {
        @Serial
        private static final long serialVersionUID = 1;

        Killed() {
            super("killed", null, false, false);
        }
    }

    /** From now on no process stops in the middle of what it is doing. */
    void withoutStops() {
        stopOdds = 0;
    }

    /** Notes a broken promise; the first one ends the run. For code whose exceptions others would catch. */
    void fail(String what) {
        if (failure == null) {
            failure = new AssertionError(what);
        }
    }

    /** Notes what has happened, for people. */
    void tell(String what) {
        tell(() -> what);
    }

    /** Notes what has happened, as a text that is made when it is needed. */
    void tell(Supplier<String> what) {
        told.addLast(new Told(nowNs, what));
        if (told.size() > TOLD) {
            told.removeFirst();
        }
    }

    String told() {
        return told.stream().map(it -> it.atNs() / MS + " ms: " + it.what().get()).collect(Collectors.joining("\n"));
    }

    long trace() {
        return trace;
    }

    /** Counts a message that does not travel by the model. */
    void counted() {
        messages++;
    }

    long messages() {
        return messages;
    }

    long lostMessages() {
        return lost;
    }

    long stops() {
        return stops;
    }

    // ---- nodes ----

    /** Adds a node, and returns its place. */
    int add(SimNode node) {
        nodes.add(node);
        assert nodes.size() <= NODES_MAX : nodes.size();
        return nodes.size() - 1;
    }

    private static int link(SimNode from, SimNode to) {
        return from.place * NODES_MAX + to.place;
    }

    void named(int nid, SimNode node) {
        byNid.put(nid, node);
    }

    @Nullable SimNode node(int nid) {
        return byNid.get(nid);
    }

    static boolean isSuperpeer(int nid) {
        return nid >= CellMessages.nid(0) && nid < 16;
    }

    /** Returns a clock speed: two of them differ by less than one per cent. */
    double speed() {
        return 1 + (random.nextInt(97) - 48) / 10_000.0;
    }

    // ---- the network ----

    void heal() {
        isHealed = true;
        for (SimNode from : nodes) {
            nodes.forEach(to -> cut(from, to, false));
        }
    }

    /** Returns how long a message takes at most, but for rare ones; differs from run to run. */
    long latencyNs() {
        return latencyNs;
    }

    boolean isHealed() {
        return isHealed;
    }

    /** Cuts or mends one direction between two nodes. */
    void cut(SimNode from, SimNode to, boolean is) {
        boolean wasCut = cut[link(from, to)];
        cut[link(from, to)] = is;
        if (wasCut && !is) {
            wire.mended(from, to);
        }
    }

    List<SimNode> nodes() {
        return nodes;
    }

    boolean isConnected(SimNode from, SimNode to) {
        return !cut[link(from, to)];
    }

    /** Sends a message to whatever process the node has when it arrives. */
    void send(SimNode from, SimNode to, Runnable handler) {
        if (sendOnce(from, to, handler) && !isHealed && random.nextInt(1_000) < doublePerMille) {
            arrive(from, to, handler);
        }
    }

    /** Sends a message that is not doubled, as sessions promise. Returns whether it is on its way. */
    boolean sendOnce(SimNode from, SimNode to, Runnable handler) {
        messages++;
        if (!from.isUp || !isConnected(from, to) || !isHealed && random.nextInt(1_000) < lossPerMille) {
            lost++;
            return false;
        }
        arrive(from, to, handler);
        return true;
    }

    private void arrive(SimNode from, SimNode to, Runnable handler) {
        long at = nowNs + between(latencyNs / 10, random.nextInt(50) == 0 && !isHealed ? 40 * latencyNs : latencyNs);
        if (isInOrder) {
            at = Math.max(at, lastArrivals[link(from, to)] + 1);
            lastArrivals[link(from, to)] = at;
        }
        events.add(new Event(at, numbers++, to, ANY, handler));
    }

    /** Sends a request. The future ends in the process that has sent it, or never. */
    <Q, R> CompletableFuture<R> request(SimNode from, int nid, long timeoutNs, RequestHandler<Q, R> handler,
                                        Q request) {
        CompletableFuture<R> result = new CompletableFuture<>();
        SimNode to = node(nid);
        int process = from.process;
        if (to == null) {
            result.completeExceptionally(new NetworkException(Reason.UNREACHABLE, nid, "unknown"));
            return result;
        }
        after(from, timeoutNs, () ->
            result.completeExceptionally(new NetworkException(Reason.TIMED_OUT, nid, "no answer")));
        send(from, to, () -> {
            var _ = handler.handle(to, request).whenComplete((answer, failed) -> {
                if (failed == null) {
                    send(to, from, () -> {
                        if (from.process == process) {
                            result.complete(answer);
                        }
                    });
                }
            });
        });
        return result;
    }

    /** Answers requests of one type at a node. */
    @FunctionalInterface
    interface RequestHandler<Q, R> {
        CompletableFuture<R> handle(SimNode at, Q request);
    }
}
