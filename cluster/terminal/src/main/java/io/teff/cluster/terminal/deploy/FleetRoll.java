package io.teff.cluster.terminal.deploy;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.RollState;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.engine.os.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A roll of nodes to a version, one node at a time: peers, superpeers, the leading superpeer last. The next node waits
 * until the cluster is as whole as before. A node that does not come up with the version gets back the version of
 * before, and the roll ends.
 */
final class FleetRoll {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** The lives at the hosts are read again after so many looks: a peer may begin a new life by itself. */
    private static final int LOOKS = 20;

    private final Fleet fleet;
    private final ClusterAdmin admin;
    private final Settings settings;
    private final Consumer<String> progress;
    private final Map<String, NodeLife> lives = new LinkedHashMap<>();

    /**
     * How to roll.
     *
     * @param version version of all nodes afterwards
     * @param isBacked whether the next node waits for backups, too
     * @param readyS longest time until a node is ready, in seconds
     * @param wholeS longest time until the cluster is whole, in seconds
     */
    record Settings(String version, boolean isBacked, int readyS, int wholeS) {}

    /** How a node has fared. */
    enum Outcome {
        /** The node has the version, and the cluster is whole. */
        ROLLED("rolled"),
        /** The node has the version, and the cluster is not whole after the longest time. */
        NOT_WHOLE("not-whole"),
        /** The node did not come up, and runs with the version of before. */
        RETURNED("returned"),
        /** The node did not come up with either version. */
        DOWN("down");

        private final String text;

        Outcome(String text) {
            this.text = text;
        }

        String text() {
            return text;
        }
    }

    /**
     * A node of the roll.
     *
     * @param node name of the node
     * @param from version of before
     * @param outcome how the node has fared
     * @param seconds from the end of the node until the outcome
     * @param text what is wrong; empty for a rolled node
     */
    record Row(String node, String from, Outcome outcome, double seconds, String text) {}

    /**
     * Makes a roll.
     *
     * @param progress receives a line for each node
     */
    FleetRoll(Fleet fleet, ClusterAdmin admin, Settings settings, Consumer<String> progress) {
        this.fleet = fleet;
        this.admin = admin;
        this.settings = settings;
        this.progress = progress;
    }

    /** Rolls nodes until one of them fares badly; returns a row for each touched node. */
    List<Row> run(List<NodePlan> wanted) {
        ClusterStatus status = status();
        Map<String, NodeState> states = fleet.states();
        states.values().forEach(state -> {
            if (state.life() == null) {
                throw new CommandFailure(state.node() + " is not ready, so no other node is ended\n  its log: "
                    + "./teff deploy logs " + fleet.deployment().file() + " --node " + state.node());
            }
        });
        List<NodePlan> nodes = new ArrayList<>(wanted);
        nodes.sort(Comparator.comparingInt(node -> !node.isSuperpeer() ? 0 : isLeading(node, status) ? 2 : 1));
        List<Row> rows = new ArrayList<>();
        for (NodePlan node : nodes) {
            NodeState state = states.get(node.name());
            Row row = roll(node, state == null ? "" : state.version());
            rows.add(row);
            progress.accept(String.format("  %-20s %s after %.1f s%s", row.node(), row.outcome().text(), row.seconds(),
                row.text().isEmpty() ? "" : ": " + row.text()));
            if (row.outcome() != Outcome.ROLLED) {
                break;
            }
        }
        return rows;
    }

    private ClusterStatus status() {
        ClusterStatus status = admin.status();
        if (!status.isAnswering()) {
            throw new CommandFailure("no superpeer answers: " + status.problem());
        }
        return status;
    }

    private static boolean isLeading(NodePlan node, ClusterStatus status) {
        return status.nodes().stream().anyMatch(member -> member.status() != null
            && member.status().standing().isLeading() && member.status().name().equals(node.name()));
    }

    private Row roll(NodePlan node, String from) {
        long begunNs = Clock.SYSTEM.nowNs();
        RollState before = RollState.of(status());
        String wrong = restart(node, settings.version());
        if (wrong != null) {
            String again = from.isEmpty() ? "there is no version of before" : restart(node, from);
            return new Row(node.name(), from, again == null ? Outcome.RETURNED : Outcome.DOWN, seconds(begunNs),
                settings.version() + " " + wrong + (again == null ? "\n    runs with " + from + " again"
                    : "\n    and with " + from + ": " + again));
        }
        String lack = awaitWhole(before);
        return new Row(node.name(), from, lack.isEmpty() ? Outcome.ROLLED : Outcome.NOT_WHOLE, seconds(begunNs), lack);
    }

    private static double seconds(long begunNs) {
        return (Clock.SYSTEM.nowNs() - begunNs) / 1e9;
    }

    /** Restarts a node with a version; returns what is wrong, or null. */
    private @Nullable String restart(NodePlan node, String version) {
        fleet.stop(List.of(node));
        fleet.link(node, version);
        fleet.start(node);
        return fleet.awaitReady(List.of(node), settings.readyS()).get(node.name());
    }

    /** Waits until the cluster is as whole as before; returns what is lacking. */
    private String awaitWhole(RollState before) {
        long endNs = Clock.SYSTEM.nowNs() + TimeUnit.SECONDS.toNanos(settings.wholeS());
        readLives();
        for (int looks = 1;; looks++) {
            ClusterStatus tables = admin.tables();
            String lack = !tables.isAnswering() ? "no superpeer answers: " + tables.problem()
                : before.lack(tables, settings.isBacked(), List.copyOf(lives.values()));
            if (lack.isEmpty() || Clock.SYSTEM.nowNs() - endNs > 0) {
                return lack;
            }
            if (looks % LOOKS == 0) {
                readLives();
            }
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
    }

    private void readLives() {
        lives.clear();
        fleet.states().values().forEach(state -> {
            NodeLife life = state.life();
            if (life != null && !fleet.deployment().node(state.node()).isSuperpeer()) {
                lives.put(state.node(), life);
            }
        });
    }
}
