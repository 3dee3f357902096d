package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.local.LocalNode.State;
import io.teff.cluster.terminal.node.LogKind;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Waits until the nodes of a cluster are ready, and reports each node. Used once. */
final class Readiness {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(180);
    private static final long ZONES_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int TAIL_LINES = 12;
    /** Maximum number of lines at the end of a log to search for events since the start of a node. */
    private static final int LINES_MAX = 200;
    private static final int BUSY = 3;
    /** Part of the first line of a process in a node's log. */
    private static final String START = " starts: ";

    /**
     * The cluster that has become ready.
     *
     * @param missing the reasons for missing nodes, as texts; an entry for each missing node
     * @param hasUnserved whether zones wait for copies, or are lost; their warnings have been reported
     */
    record Outcome(List<String> missing, boolean hasUnserved) {
        /** Copies the list. */
        Outcome {
            missing = List.copyOf(missing);
        }
    }

    private final ClusterFolder folder;
    private final Consumer<String> reports;
    private final @Nullable Process supervisor;
    private final long begunNs = Clock.SYSTEM.nowNs();

    Readiness(ClusterFolder folder, Consumer<String> reports, @Nullable Process supervisor) {
        this.folder = folder;
        this.reports = reports;
        this.supervisor = supervisor;
    }

    /**
     * Waits for all nodes, and until each peer owns open zones, and all zones are served. After a time limit, reports
     * the peers and zones for which this is not so.
     *
     * @return a cluster without missing nodes
     */
    Outcome await() {
        await(begun(), null);
        return new Outcome(List.of(), awaitZones());
    }

    /**
     * Waits like {@link #await()}, but continues without nodes that end or are late, if the ready nodes are a cluster:
     * a majority of the superpeers and a peer.
     *
     * @return the cluster of the nodes that are ready
     */
    Outcome awaitMost() {
        Map<LocalNode, String> missing = new LinkedHashMap<>();
        List<LocalNode> nodes = begun();
        await(nodes, missing);
        List<LocalNode> ready = new ArrayList<>(nodes);
        ready.removeAll(missing.keySet());
        int superpeers = (int) ready.stream().filter(LocalNode::isSuperpeer).count();
        boolean isCluster = 2 * superpeers > MetadataCheck.superpeers(folder).size() && superpeers < ready.size();
        if (!missing.isEmpty() && !isCluster) {                 // nodes that were taken over are never missing
            throw new CommandFailure(String.join("", missing.values()));
        }
        return new Outcome(List.copyOf(missing.values()), awaitZones());
    }

    /** Returns the nodes of a supervisor: nodes to start, started nodes, and nodes that were taken over. */
    private List<LocalNode> begun() {
        List<LocalNode> nodes = new ArrayList<>(folder.nodes());
        nodes.removeIf(node -> node.state() == State.DOWN);
        return nodes;
    }

    /** Waits for some nodes. */
    void await(List<LocalNode> nodes) {
        await(nodes, null);
    }

    /** Waits for a node, unless the node is a superpeer with a full disk. Returns whether the node is ready. */
    boolean awaitUnlessFull(LocalNode node) {
        while (node.state() != State.UP) {
            if (node.isSuperpeer() && isFull(node)) {
                return false;
            }
            if (node.state() == State.DOWN || Clock.SYSTEM.nowNs() - begunNs > PATIENCE_NS) {
                await(List.of(node));                           // says why
            }
            Clock.SYSTEM.pause(this, POLL_NS);
        }
        return true;
    }

    /** Returns whether a node's log since the node's start has the event of a full disk, and no later event of room. */
    private static boolean isFull(LocalNode node) {
        boolean isFull = false;
        for (String line : LogTail.lastLines(node.folder().resolve(LocalNode.LOG), LINES_MAX)) {
            isFull = (isFull || line.contains(mark(LogKind.DISK_FULL)))
                && !line.contains(START) && !line.contains(mark(LogKind.DISK_ROOM));
        }
        return isFull;
    }

    private static String mark(LogKind kind) {
        return " " + kind.text() + ": ";
    }

    /** Waits for some nodes. A node that ends or is late gets an entry in the map; without a map, the wait throws. */
    private void await(List<LocalNode> nodes, @Nullable Map<LocalNode, String> missing) {
        List<LocalNode> waiting = new ArrayList<>(nodes);
        while (!waiting.isEmpty()) {
            checkSupervisor();
            boolean isLate = Clock.SYSTEM.nowNs() - begunNs > PATIENCE_NS;
            for (LocalNode node : List.copyOf(waiting)) {
                State state = node.state();
                if (state == State.UP) {
                    reports.accept(String.format("  %-12s ready after %.1f s", node.name(), seconds()));
                    waiting.remove(node);
                } else if (state == State.DOWN || isLate) {
                    String why = node.name() + (state == State.DOWN ? " has ended before it was ready:\n"
                        : " is not ready after " + Math.round(seconds()) + " s" + load() + ":\n") + tail(node);
                    if (missing == null) {
                        throw new CommandFailure(why);
                    }
                    missing.put(node, why);
                    waiting.remove(node);
                }
            }
            Clock.SYSTEM.pause(this, POLL_NS);
        }
    }

    /** Returns the load of a busy machine as a text; empty if the machine is not busy. */
    private static String load() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        return load <= BUSY * system.getAvailableProcessors() ? "" : String.format(Locale.ROOT,
            "; the machine is busy: %.0f threads want its %d processors", load, system.getAvailableProcessors());
    }

    private void checkSupervisor() {
        if (supervisor != null && !supervisor.isAlive()) {
            throw new CommandFailure("the supervisor has ended:\n"
                + tail(folder.path().resolve(ClusterFolder.SUPERVISOR_OUT)));
        }
    }

    /**
     * Waits until all zones that are not lost are served. Peers ask for zones when the peers know each other. Chunks
     * can be created earlier, but not yet at all peers. Returns whether zones wait for copies, or are lost.
     */
    private boolean awaitZones() {
        try (ClusterAdmin admin = folder.entrance().connect()) {
            long end = Clock.SYSTEM.nowNs() + ZONES_NS;
            ClusterStatus status = admin.tables();
            while ((!status.isAnswering() || !hasZones(status) || !areServed(status))
                    && Clock.SYSTEM.nowNs() - end < 0) {
                Clock.SYSTEM.pause(this, POLL_NS);
                status = admin.tables();
            }
            return reportUnserved(status);
        } catch (IOException e) {
            throw new CommandFailure("the cluster cannot be looked at: " + FailureText.of(e), e);
        }
    }

    /** Reports zones that wait or are lost, and peers without zones. Returns whether zones wait or are lost. */
    boolean reportUnserved(ClusterStatus status) {
        UnservedZones zones = new UnservedZones(status, folder);
        if (zones.exist() || !areServed(status)) {
            zones.lines().forEach(line -> reports.accept("  " + line));
        }
        if (!hasZones(status)) {
            reports.accept("  not all peers own zones yet; the cluster can be used all the same");
        }
        return zones.exist();
    }

    private boolean areServed(ClusterStatus status) {
        return areServed(status, lives());
    }

    /**
     * Returns whether all zones that are not lost are served. Directly after a start of all nodes, the tables still
     * have the owners of before, whose lives have not expired yet.
     *
     * @param lives current lives of the peers of this machine
     */
    static boolean areServed(ClusterStatus status, List<NodeLife> lives) {
        Set<Integer> nids = new HashSet<>();
        Set<String> addresses = new HashSet<>();
        for (NodeLife life : lives) {
            nids.add(life.nid());
            Member member = status.node(life.nid());
            if (member != null) {
                addresses.add(member.address());
            }
        }
        for (ZoneStatus zone : status.zones()) {
            NodeLife owner = zone.owner();
            boolean isOver = owner != null && !lives.contains(owner)
                && (nids.contains(owner.nid()) || isAt(status.node(owner.nid()), addresses));
            if (zone.state() != ZoneStatus.State.LOST && (!zone.state().isServed() || isOver)) {
                return false;
            }
        }
        return true;
    }

    /** Returns whether a node listens at one of some addresses: behind a lost disk a peer has another NID there. */
    private static boolean isAt(@Nullable Member member, Set<String> addresses) {
        return member != null && addresses.contains(member.address());
    }

    private boolean hasZones(ClusterStatus status) {
        Set<NodeLife> owners = new HashSet<>();
        for (ZoneStatus zone : status.zones()) {
            if (zone.state() == ZoneStatus.State.OPEN && zone.owner() != null) {
                owners.add(zone.owner());
            }
        }
        return owners.containsAll(lives());
    }

    /** Returns the lives of the peers of this machine that are ready. */
    private List<NodeLife> lives() {
        List<NodeLife> lives = new ArrayList<>();
        for (LocalNode node : folder.nodes()) {
            NodeLife life = node.life();
            if (!node.isSuperpeer() && node.state() == State.UP && life != null) {
                lives.add(life);
            }
        }
        return lives;
    }

    private double seconds() {
        return (Clock.SYSTEM.nowNs() - begunNs) / 1e9;
    }

    // ---- output and log of a node ----

    /** Returns the last lines of a node's output and log. Only lines since the last start are taken from the log. */
    static String tail(LocalNode node) {
        return tail(node.folder().resolve(LocalNode.OUT)) + tail(node.folder().resolve(LocalNode.LOG));
    }

    private static String tail(Path file) {
        List<String> lines = LogTail.lastLines(file, TAIL_LINES);
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).contains(START)) {                 // this line has the whole configuration
                lines = lines.subList(i + 1, lines.size());
                break;
            }
        }
        return lines.isEmpty() ? "" : "  " + file + ":\n" + lines.stream().map(line -> "    " + line + "\n")
            .collect(Collectors.joining());
    }
}
