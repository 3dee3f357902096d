package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.message.CellMessages;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.net.Network;
import io.teff.cluster.net.agent.Transports;
import io.teff.cluster.net.config.NetworkConfig;
import io.teff.cluster.net.message.NetworkException;
import io.teff.cluster.net.message.NetworkException.Reason;
import io.teff.cluster.net.message.NetworkListener;
import io.teff.cluster.net.message.RawHandler;
import io.teff.cluster.net.message.RawType;
import io.teff.cluster.net.message.RequestType;
import io.teff.cluster.net.report.NetworkStats;
import io.teff.cluster.operation.OperationCalls;
import io.teff.cluster.operation.OperationService;
import io.teff.cluster.operation.ZoneHost;
import io.teff.test.links.LinkWorld;
import io.teff.test.links.SimLink;
import io.teff.test.links.SimTransport;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages by real networks: those of the product, with its types and codecs, over simulated links in virtual time.
 * Each process has its networks as in the product: a peer has one to join, then one for each life. The work of their
 * threads is done by events of the world. Links break by chance, and with the faults of the world.
 *
 * <p>Oracle of its own: the runs and answers of a lane that one node sends to another arrive in order, each at most
 * once.
 */
final class NetworkWire implements SimWire, LinkWorld {
    private static final int PLACES = 16;
    private static final int CLIENT_NID = 0xF000;
    private static final int JOINING_NID = 0xF100;
    private static final int JOINING_NIDS = 0xE00;
    /** How long a thread takes to wake up. */
    private static final long WAKE_NS_MAX = 50_000;
    /** Pause of an agent's thread between two cycles. */
    private static final long PAUSE_NS = 20_000;
    private static final int RING_BYTES = 1 << 14;
    private static final int LATE_RATE = 16;
    private static final long LATE_NS_MAX = 200 * SimWorld.MS;

    private final SimWorld world;
    private final Plant plant;
    private final SplittableRandom random;
    private final Map<SimTransport, Host> byTransport = new LinkedHashMap<>();
    private final Host[] current = new Host[PLACES];
    private final SimTransport[] listening = new SimTransport[PLACES];
    private final List<Host> closed = new ArrayList<>();
    /** What one node has sent to another in one lane and of one type, and has not arrived. */
    private final Map<List<Integer>, Deque<Integer>> onTheWay = new HashMap<>();
    private final int sendBufferBytes;
    private final long silenceNs;
    private final long awayNs;
    private final long reachNs;
    private final long breakNs;
    private int joined;
    private boolean isOver;
    private Numbers numbers = Numbers.NONE;

    /** What networks have done. */
    record Numbers(long networks, long handled, long answered, long links, long broken, long resumed, long sessionsLost,
                   long refused) {
        static final Numbers NONE = new Numbers(0, 0, 0, 0, 0, 0, 0, 0);

        Numbers plus(Numbers it) {
            return new Numbers(networks + it.networks, handled + it.handled, answered + it.answered,
                links + it.links, broken + it.broken, resumed + it.resumed, sessionsLost + it.sessionsLost,
                refused + it.refused);
        }

        private Numbers plus(NetworkStats it) {
            return plus(new Numbers(1, it.messagesHandled(), it.requestsAnswered(), it.linksMade(), it.linksLost(),
                it.sessionsResumed(), it.sessionsLost(), it.linksRefused().values().stream().mapToLong(n -> n).sum()));
        }
    }

    /** A network of a process. */
    private final class Host implements NetworkListener {
        private final SimNode node;
        private final int process;
        private final SimTransport transport;
        private final SteppedNetwork steps;
        private boolean isWorking;
        private boolean isClosing;
        private boolean isClosed;
        private boolean isHandling;
        private long dueNs = Long.MAX_VALUE;
        private long alarms;

        Host(SimNode node, int nid, boolean isListening, Supplier<@Nullable Tables> tables,
             Consumer<Network> handlers) {
            this.node = node;
            process = node.process;
            transport = new SimTransport(NetworkWire.this, node.place);
            byTransport.put(transport, this);
            NetworkConfig.Builder config = NetworkConfig.builder(nid).handlerThreads(1).sendTimeoutNs(0).lingerNs(0)
                .ringBytes(RING_BYTES, RING_BYTES << 2).silenceNs(silenceNs).awayNs(awayNs).reachNs(reachNs)
                .listener(this).addresses(to -> find(to, tables.get()));
            if (isListening) {
                config.listen(address(node));
                listening[node.place] = transport;
            }
            steps = new SteppedNetwork(config.build(), node.clock, random.split(),
                new Transports(Map.of("sim", () -> transport), false), node.clock.epochMs());
            handlers.accept(steps.network());
            wakeAt(world.nowNs());
        }

        private boolean isAlive() {
            return !isOver && node.process == process;
        }

        private void wakeAt(long ns) {
            long at = Math.max(ns, world.nowNs());
            if (isAlive() && !isClosed && at < dueNs) {
                dueNs = at;
                long mine = ++alarms;
                world.after(node, at - world.nowNs(), () -> {
                    if (mine == alarms) {
                        dueNs = Long.MAX_VALUE;
                        cycle();
                    }
                });
            }
        }

        private void cycle() {
            if (isClosed || isWorking) {                        // the agent's thread is stopped in a handler
                wakeAt(world.nowNs() + PAUSE_NS);
                return;
            }
            int work;
            isWorking = true;
            try {
                work = steps.work();
            } finally {
                isWorking = false;
            }
            if (!isAlive()) {
                return;
            }
            if (isClosing) {
                close();
                return;
            }
            if (work > 0) {
                handleSoon();
                worked();
            }
            long nowNs = world.nowNs();
            wakeAt(nowNs + Math.max(work > 0 ? 0 : steps.idleNs(), PAUSE_NS));
            wakeAt(Math.max(transport.nextNs(), nowNs + PAUSE_NS));     // what is due may have to wait for something
        }

        private void handleSoon() {
            if (!isHandling) {
                isHandling = true;
                world.after(node, random.nextLong(WAKE_NS_MAX), () -> {
                    isHandling = false;
                    if (!isClosed && steps.runHandler()) {
                        worked();
                        handleSoon();
                    }
                });
            }
        }

        private void worked() {
            if (node instanceof SimPeer peer && isAlive()) {
                peer.kickSoon();
            }
        }

        /** Closes the network of a process that goes on. */
        void close() {
            if (isWorking) {
                isClosing = true;
            } else if (!isClosed) {
                isClosed = true;
                audit();
                gone();
                steps.network().close();
            }
        }

        private void gone() {
            numbers = numbers.plus(steps.network().stats());
            byTransport.remove(transport);
            if (listening[node.place] == transport) {
                listening[node.place] = null;
            }
            closed.add(this);
        }

        /** The process has ended; nothing of it does anything any more. */
        void end(boolean hasNoPower) {
            isClosed = true;
            if (hasNoPower) {
                transport.vanish();
            } else {
                transport.close();
            }
            gone();
        }

        private void audit() {
            try {
                steps.network().audit();
            } catch (IllegalStateException e) {
                world.fail(node + ": " + e.getMessage());
            }
        }

        // ---- events ----

        @Override
        public void up(int nid) {
            if (isAlive()) {
                world.tell(node + " has a link with node " + nid);
            }
            if (isAlive() && node instanceof SimPeer peer) {
                plant.linked(peer, nid);
            }
        }

        @Override
        public void lost(int nid, long messages, String why) {
            if (isAlive()) {
                world.tell(node + " has lost the session with node " + nid + ", and " + messages + " messages: " + why);
                if (node instanceof SimPeer peer && current[node.place] == this) {
                    plant.lost(peer, nid);
                }
            }
        }

        @Override
        public void refused(int nid, String peer, String why) {
            if (isAlive()) {
                world.tell(node + " and node " + nid + " do not accept each other: " + why);
            }
        }

        @Override
        public void failed(int nid, int type, Throwable thrown) {
            if (isAlive()) {
                world.fail(node + ": the handler of a message of type " + type + " from node " + nid + " has failed: "
                    + thrown);
            }
        }
    }

    /**
     * Makes it; its chances are its own, so those of the world stay.
     *
     * @param haveBreaks whether links may break by themselves
     */
    NetworkWire(SimWorld world, Plant plant, long seed, boolean haveBreaks) {
        this.world = world;
        this.plant = plant;
        random = new SplittableRandom(~seed);
        sendBufferBytes = 1 << random.nextInt(9, 18);
        silenceNs = millis(150, 1_500);
        awayNs = millis(200, 4_000);
        reachNs = millis(100, 2_000);
        breakNs = random.nextInt(3) == 0 || !haveBreaks ? NEVER_NS : millis(20, 600);
    }

    private long millis(int from, int to) {
        return random.nextLong(from * SimWorld.MS, to * SimWorld.MS);
    }

    private @Nullable String find(int nid, @Nullable Tables tables) {
        if (SimWorld.isSuperpeer(nid)) {
            SimNode node = world.node(nid);
            return node == null ? null : address(node);
        }
        NodeRow row = tables == null ? null : tables.node(nid);
        return row == null || row.address().isEmpty() ? null : row.address();
    }

    // ---- nodes ----

    @Override
    public String address(SimNode node) {
        return SimTransport.address(node.place);
    }

    @Override
    public void apart(SimNode node, Runnable task) {
        world.after(node, 0, task);
    }

    @Override
    public void begun(SimSuperpeer superpeer) {
        current[superpeer.place] = new Host(superpeer, CellMessages.nid(superpeer.number), true,
            () -> null, superpeer.parts()::register);
    }

    @Override
    public void begun(SimClient client) {
        current[client.place] = new Host(client, CLIENT_NID + client.place, false, client::tables, _ -> { });
    }

    @Override
    public void joins(SimPeer peer) {
        closeCurrent(peer);
        current[peer.place] = new Host(peer, JOINING_NID + joined++ % JOINING_NIDS, false, () -> null, _ -> { });
    }

    @Override
    public void lives(SimPeer peer, PeerCore core, ZoneHost host) {
        closeCurrent(peer);
        int nid = core.node().nid();
        current[peer.place] = new Host(peer, nid, true, core::tables, network -> {
            RunTraffic.register(network, handler(peer, core, nid, true), handler(peer, core, nid, false));
            new OperationService(host).register(network);
        });
    }

    private RawHandler handler(SimPeer peer, PeerCore core, int nid, boolean isRun) {
        return (from, memory, offset, length) -> {
            byte[] message = memory.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
            plant.handle(peer, from, () -> arrived(peer, core, nid, from, isRun, message));
        };
    }

    private void arrived(SimPeer peer, PeerCore core, int nid, int from, boolean isRun, byte[] message) {
        Deque<Integer> sent = onTheWay(from, nid, isRun);
        int sum = Arrays.hashCode(message);
        if (isRun) {
            while (!sent.isEmpty() && sent.getFirst() != sum) {
                sent.removeFirst();                             // lost with a session
            }
            if (sent.isEmpty()) {
                world.fail("a message with runs of node " + from + " arrives at node " + nid
                    + " twice, too late, or changed");
                return;
            }
            sent.removeFirst();
        } else if (!sent.removeFirstOccurrence(sum)) {          // lane 0 has no order
            world.fail("a message with answers of node " + from + " arrives at node " + nid + " twice, or changed");
            return;
        }
        if (peer.core() == core) {
            peer.arrived(plant.sender(peer, from, isRun), isRun, message);
        }
    }

    private Deque<Integer> onTheWay(int from, int to, boolean isRun) {
        return onTheWay.computeIfAbsent(List.of(from, to, isRun ? 1 : 0), _ -> new ArrayDeque<>());
    }

    @Override
    public void lifeEnds(SimPeer peer) {
        closeCurrent(peer);
    }

    private void closeCurrent(SimNode node) {
        Host host = current[node.place];
        if (host != null) {
            host.close();
            current[node.place] = null;
        }
    }

    @Override
    public void ends(SimNode node, boolean hasNoPower) {
        current[node.place] = null;
        List.copyOf(byTransport.values()).stream().filter(host -> host.node.equals(node) && !host.isClosed)
            .forEach(host -> host.end(hasNoPower));
    }

    // ---- messages ----

    @Override
    public <Q, R> CompletableFuture<R> request(SimNode from, int nid, RequestType<Q, R> type, Q request,
                                               long timeoutNs) {
        Host host = current[from.place];
        if (host == null || !host.isAlive()) {
            return CompletableFuture.failedFuture(new NetworkException(Reason.UNREACHABLE, nid, "the network opens"));
        }
        world.counted();
        CompletableFuture<R> result = new CompletableFuture<>();
        var _ = host.steps.network().request(nid, type, request, timeoutNs).whenComplete((answer, failure) -> {
            if (host.isAlive() && failure == null) {
                result.complete(answer);
            } else if (host.isAlive()) {
                result.completeExceptionally(failure);
            }
        });
        return result;
    }

    @Override
    public boolean offer(SimPeer from, int fromNid, SimNode to, int nid, int lane, RawType type, byte[] message) {
        Host host = current[from.place];
        if (host == null || !host.steps.network().raw().offer(nid, lane, type, MemorySegment.ofArray(message), 0,
            message.length)) {
            return false;
        }
        world.counted();
        onTheWay(fromNid, nid, RunTraffic.isRun(type)).add(Arrays.hashCode(message));
        return true;
    }

    @Override
    public Runnable operation(SimClient from, SimPeer owner, int nid, byte[] request, long timeoutNs, Told told) {
        Host host = current[from.place];
        world.counted();
        CompletableFuture<byte[]> sent;
        try {
            sent = OperationCalls.send(host.steps.network(), nid, request, timeoutNs);
        } catch (NetworkException e) {
            told.failed(e, false);
            return () -> { };
        }
        var _ = sent.whenComplete((answer, failure) -> {
            if (host.isAlive()) {
                try {
                    tell(told, failure == null ? plant.given(request, answer) : null, failure);
                } catch (RuntimeException | Error e) {          // the future would hide it
                    world.fail(from + " cannot take what has come of a request: " + e);
                }
            }
        });
        return () -> sent.cancel(false);
    }

    private static void tell(Told told, byte @Nullable [] answer, @Nullable Throwable failure) {
        if (answer != null) {
            told.answered(answer);
        } else if (failure != null && cause(failure) instanceof NetworkException e) {
            told.failed(e, true);
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    // ---- links ----

    @Override
    public long nowNs() {
        return world.nowNs();
    }

    @Override
    public long latency() {
        long most = world.latencyNs();
        return random.nextLong(most / 10, random.nextInt(50) == 0 && !world.isHealed() ? 40 * most : most);
    }

    @Override
    public long lateNs() {
        return random.nextInt(LATE_RATE) == 0 && !world.isHealed() ? random.nextLong(LATE_NS_MAX) : 0;
    }

    @Override
    public int sendBufferBytes() {
        return sendBufferBytes;
    }

    @Override
    public int pieceBytes(int bytes) {
        return random.nextInt(4) == 0 ? random.nextInt(1, bytes + 1) : bytes;
    }

    @Override
    public long arrivalNs(int from, int to) {
        return isReachable(from, to) ? world.nowNs() + latency() : NEVER_NS;
    }

    @Override
    public boolean isReachable(int from, int to) {
        return world.isConnected(world.nodes().get(from), world.nodes().get(to));
    }

    @Override
    public boolean isHung(int from, int to) {
        return false;
    }

    @Override
    public @Nullable SimTransport transport(int place) {
        return listening[place];
    }

    @Override
    public void due(SimTransport at, long ns) {
        Host host = byTransport.get(at);
        if (host != null && ns < NEVER_NS) {
            host.wakeAt(Math.max(ns, world.nowNs()) + random.nextLong(WAKE_NS_MAX));
        }
    }

    // ---- faults ----

    @Override
    public boolean isReal() {
        return true;
    }

    @Override
    public void beginFaults() {
        if (breakNs < NEVER_NS) {
            breakSoon();
        }
    }

    private void breakSoon() {
        world.after(random.nextLong(2 * breakNs), () -> {
            if (!world.isHealed()) {
                List<SimLink> links = links();
                if (!links.isEmpty()) {
                    links.get(random.nextInt(links.size())).reset();
                }
                breakSoon();
            }
        });
    }

    /** Returns all links, in an order that follows from the seed. */
    private List<SimLink> links() {
        List<SimLink> links = new ArrayList<>();
        for (SimNode node : world.nodes()) {
            Host host = current[node.place];
            if (host != null) {
                links.addAll(host.transport.links());
            }
        }
        return links;
    }

    @Override
    public void mended(SimNode from, SimNode to) {
        boolean isWhole = world.isConnected(to, from);
        for (SimLink link : links()) {
            int near = link.transport().place();
            boolean isBehind = near == to.place && link.far() == from.place;
            boolean isBefore = near == from.place && link.far() == to.place;
            if (isWhole && (isBehind || isBefore) && (link.isHanging() || random.nextInt(4) == 0)) {
                link.reset();
            } else if (isBehind || isBefore && isWhole && !link.isHanging()) {
                link.goOn();
            }
        }
    }

    // ---- the end ----

    @Override
    public void close() {
        List<Host> open = new ArrayList<>();
        for (SimNode node : world.nodes()) {
            Host host = current[node.place];
            if (host != null) {
                host.audit();
                open.add(host);
            }
        }
        isOver = true;
        open.forEach(Host::close);
        for (Host host : closed) {
            host.steps.network().close();
            long bytes = host.steps.network().stats().poolBytes();
            if (bytes != 0) {
                throw new AssertionError(host.node + ": " + bytes + " bytes of rings at the end");
            }
        }
        closed.clear();
    }

    /** Returns what has happened, after the end. */
    Numbers numbers() {
        return numbers;
    }
}
