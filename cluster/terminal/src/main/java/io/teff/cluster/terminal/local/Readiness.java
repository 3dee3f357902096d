package io.teff.cluster.terminal.local;

import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import io.teff.cluster.terminal.local.LocalNode.State;
import io.teff.cluster.terminal.watch.CellLink;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Waits until the nodes of a cluster are ready, and reports each of them. Used once. */
final class Readiness {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(180);
    private static final long ZONES_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int TAIL_LINES = 12;
    private static final int BUSY = 3;

    private final ClusterFolder folder;
    private final Consumer<String> reports;
    private final @Nullable Process supervisor;
    private final long begunNs = Clock.SYSTEM.nowNs();

    Readiness(ClusterFolder folder, Consumer<String> reports, @Nullable Process supervisor) {
        this.folder = folder;
        this.reports = reports;
        this.supervisor = supervisor;
    }

    /** Waits for all nodes, and until each peer owns open zones, and all zones are served; then says which are not. */
    void await() {
        List<LocalNode> nodes = new ArrayList<>(folder.nodes());
        nodes.removeIf(node -> node.state() == State.DOWN);
        await(nodes);
        awaitZones();
    }

    /** Waits for some nodes. */
    void await(List<LocalNode> nodes) {
        List<LocalNode> waiting = new ArrayList<>(nodes);
        while (!waiting.isEmpty()) {
            checkSupervisor();
            for (LocalNode node : List.copyOf(waiting)) {
                State state = node.state();
                if (state == State.UP) {
                    reports.accept(String.format("  %-12s ready after %.1f s", node.name(), seconds()));
                    waiting.remove(node);
                } else if (state == State.DOWN) {
                    throw new CommandFailure(node.name() + " has ended before it was ready:\n" + tail(node));
                }
            }
            if (Clock.SYSTEM.nowNs() - begunNs > PATIENCE_NS) {
                LocalNode late = waiting.getFirst();
                throw new CommandFailure(late.name() + " is not ready after " + Math.round(seconds()) + " s" + load()
                    + ":\n" + tail(late));
            }
            Clock.SYSTEM.pause(this, POLL_NS);
        }
    }

    /** Returns the load of a busy machine, for people; empty for others. */
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

    /** Peers ask for zones when they know each other; chunks can be created before, but not yet everywhere. */
    private void awaitZones() {
        try (CellLink link = CellLink.open(folder.entrance())) {
            long end = Clock.SYSTEM.nowNs() + ZONES_NS;
            while (Clock.SYSTEM.nowNs() - end < 0) {
                if (link.refresh() && hasZones(link) && areServed(link)) {
                    return;
                }
                Clock.SYSTEM.pause(this, POLL_NS);
            }
            List<String> unserved = new UnservedZones(link.tables(), folder).lines();
            unserved.forEach(line -> reports.accept("  " + line));
            if (!hasZones(link)) {
                reports.accept("  not all peers own zones yet; the cluster can be used all the same");
            }
        } catch (IOException e) {
            throw new CommandFailure("the cluster cannot be looked at: " + FailureText.of(e), e);
        }
    }

    private static boolean areServed(CellLink link) {
        return link.tables().zones().stream().allMatch(row -> row.state().isServed()
            || row.state() == ZoneState.LOST);
    }

    private boolean hasZones(CellLink link) {
        Set<Integer> owners = new HashSet<>();
        for (ZoneRow row : link.tables().zones()) {
            if (row.state() == ZoneState.OPEN && row.owner() != null) {
                owners.add(row.owner().nid());
            }
        }
        Set<Integer> peers = new HashSet<>();
        for (LocalNode node : folder.nodes()) {
            NodeRef life = node.life();
            if (!node.isSuperpeer() && node.state() == State.UP && life != null) {
                peers.add(life.nid());
            }
        }
        return owners.containsAll(peers);
    }

    private double seconds() {
        return (Clock.SYSTEM.nowNs() - begunNs) / 1e9;
    }

    // ---- what a node has said ----

    /** Returns the last lines of what a node has printed and logged. */
    static String tail(LocalNode node) {
        return tail(node.folder().resolve(LocalNode.OUT)) + tail(node.folder().resolve(LocalNode.LOG));
    }

    private static String tail(Path file) {
        List<String> lines = LogsCommand.lastLines(file, TAIL_LINES);
        return lines.isEmpty() ? "" : "  " + file + ":\n" + lines.stream().map(line -> "    " + line + "\n")
            .collect(Collectors.joining());
    }
}
