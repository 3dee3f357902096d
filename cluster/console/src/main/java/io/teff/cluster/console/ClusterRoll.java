package io.teff.cluster.console;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.ClusterStatus.RollState;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A roll from the console: orders nodes to end, one at a time, because their managers start them again. Peers are
 * first, then superpeers, the leading superpeer, and the node of the console. The next node waits until the node before
 * is there with another process, all zones are served, and each has as many backups as before. Each step is a change of
 * the timeline. A roll ends with the first node that does not restart; the other nodes stay as they are.
 *
 * <p>The roll is a thread of the console. So the roll ends with the node of the console, which is the last.
 * Thread-safe.
 */
final class ClusterRoll {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long BACK_NS = TimeUnit.SECONDS.toNanos(180);
    private static final long WHOLE_NS = TimeUnit.SECONDS.toNanos(600);

    private final ConsoleSetup setup;
    private final ClusterAdmin admin;
    private final Picture picture;
    private final AtomicBoolean isRunning = new AtomicBoolean();

    /** Whether a roll has begun, and a sentence about the begin. */
    record Begin(boolean isBegun, String text) {}

    ClusterRoll(ConsoleSetup setup, Picture picture) {
        this.setup = setup;
        this.picture = picture;
        admin = picture.admin();
    }

    /** Begins to restart a node, or all nodes without a number. */
    Begin begin(@Nullable Integer nid) {
        if (!isRunning.compareAndSet(false, true)) {
            return new Begin(false, "another roll of this console goes on; the timeline shows its steps");
        }
        boolean isBegun = false;
        try {
            ClusterStatus status = admin.status();
            Member silent = status.nodes().stream().filter(node -> node.isAlive() && node.status() == null).findFirst()
                .orElse(null);
            List<Member> nodes = status.nodes().stream().filter(node -> node.isAlive() && node.status() != null
                && (nid == null || nid == node.life().nid())).sorted(Comparator.comparingInt(this::place)).toList();
            if (!status.isAnswering() || silent != null || nodes.isEmpty()) {
                return new Begin(false, !status.isAnswering() ? "no superpeer answers"
                    : silent != null ? "node " + silent.life().nid() + " does not answer, so no other node is ended"
                    : "there is no node " + nid);
            }
            setup.threads().start("teff-console-roll", () -> run(nodes));
            isBegun = true;
            return new Begin(true, "restarts " + nodes.size() + (nodes.size() == 1 ? " node" : " nodes")
                + "; the timeline shows each step");
        } finally {
            if (!isBegun) {
                isRunning.set(false);
            }
        }
    }

    /** Returns the place of a node in the order. */
    private int place(Member node) {
        NodeStatus status = node.status();
        if (status != null && status.name().equals(setup.node())) {
            return 3;
        }
        return node.role() == NodeRole.PEER ? 0 : status != null && status.standing().isLeading() ? 2 : 1;
    }

    private void run(List<Member> nodes) {
        try {
            int restarted = 0;
            for (Member node : nodes) {
                String wrong = restart(node);
                if (!wrong.isEmpty()) {
                    picture.step(node.life().nid(), "the roll ends at " + name(node) + ": " + wrong + "; "
                        + (nodes.size() - restarted) + " nodes were not restarted");
                    return;
                }
                restarted++;
            }
            picture.step(0, "the roll has ended: restarted " + restarted + (restarted == 1 ? " node" : " nodes"));
        } catch (RuntimeException e) {
            picture.step(0, "the roll has failed: " + FailureText.of(e));
        } finally {
            isRunning.set(false);
        }
    }

    private static String name(Member node) {
        NodeStatus status = node.status();
        return status == null ? "node " + node.life().nid() : status.name() + ", node " + node.life().nid();
    }

    /** Restarts a node; returns what is wrong. */
    private String restart(Member node) {
        long begunNs = setup.clock().nowNs();
        NodeStatus status = node.status();
        if (status == null) {
            return "it does not answer";
        }
        NodeStatus.Process process = status.process();
        RollState before = RollState.of(admin.tables());
        picture.step(node.life().nid(), "the roll restarts " + name(node));
        String refusal = admin.restart(node.life().nid(), process.pid());
        if (!refusal.isEmpty()) {
            return refusal;
        }
        String lack = await(BACK_NS, () -> isBack(node.life(), process) ? ""
            : "it does not come back; its log has the reason");
        if (lack.isEmpty()) {
            lack = await(WHOLE_NS, () -> lack(before));
        }
        if (lack.isEmpty()) {
            picture.step(node.life().nid(), String.format(Locale.ROOT, "%s has restarted, whole after %.1f s",
                name(node), (setup.clock().nowNs() - begunNs) / 1e9));
        }
        return lack;
    }

    /** Looks until nothing is lacking, or the time is over; returns what is lacking. */
    private String await(long patienceNs, Supplier<String> look) {
        Clock clock = setup.clock();
        long endNs = clock.nowNs() + patienceNs;
        while (true) {
            String lack = look.get();
            if (lack.isEmpty() || clock.nowNs() - endNs > 0) {
                return lack;
            }
            clock.pause(this, LOOK_NS);
        }
    }

    /** Returns whether a node answers with another process. The processes of containers may have one number. */
    private boolean isBack(NodeLife before, NodeStatus.Process process) {
        for (Member node : admin.status().nodes()) {
            NodeStatus status = node.status();
            if (node.life().nid() == before.nid() && node.isAlive() && status != null) {
                return status.process().pid() != process.pid() || status.process().upMs() < process.upMs()
                    || node.life().incarnation() > before.incarnation();
            }
        }
        return false;
    }

    private String lack(RollState before) {
        ClusterStatus tables = admin.tables();
        List<NodeLife> lives = tables.nodes().stream().filter(node -> node.isAlive() && node.role() == NodeRole.PEER)
            .map(Member::life).toList();
        return tables.isAnswering() ? before.lack(tables, true, lives) : "no superpeer answers";
    }
}
