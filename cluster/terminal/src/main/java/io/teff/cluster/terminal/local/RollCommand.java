package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.RollState;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster roll}: restarts all nodes of a cluster of this machine, one after the other. */
@Command(
    name = "roll",
    description = {"Restarts all nodes of a cluster of this machine, one at a time: first the peers, then the "
            + "superpeers, the leading one last. The cluster is used meanwhile. Afterwards the nodes have the program "
            + "of this command.",
        "The next node waits until the restarted node is ready, all zones are served, and each zone has as many "
            + "backups as before. A node that does not come back ends the command, with all other nodes as they are. "
            + "If the node had another program before, it gets that program back."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:all nodes are restarted", "1:a node does not run, does not end, or does not come back",
        "2:wrong command line", "3:zones lack backups after the timeout; the rest of the nodes is not restarted",
        "4:a node does not come up with the new program, and runs with the program of before"},
    footerHeading = "%nExamples:%n",
    footer = {"  ./teff cluster roll", "  ./teff cluster roll --drain --timeout 600"},
    sortOptions = false)
public final class RollCommand extends ClusterChange {
    private static final int RETURNED = 4;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long END_NS = TimeUnit.SECONDS.toNanos(60);

    @Option(names = "--wait-backed", negatable = true, defaultValue = "true", fallbackValue = "true",
        description = "Wait for the backups of all zones between two nodes. This is the default; with "
            + "--no-wait-backed it is enough that all zones are served.")
    private boolean isBacked = true;

    @Option(names = "--drain", description = "Drain each peer before its end, so that no zone is recovered. Takes "
        + "longer, and needs a peer more than a zone has copies.")
    private boolean isDraining;

    @Option(names = "--only", paramLabel = "NODE", split = ",", description = "Restart only these nodes.")
    private List<String> only = List.of();

    @Option(names = "--program", paramLabel = "CLASS_PATH", description = "Class path of the program that the nodes "
        + "have afterwards, for instance that of an older version. Default: the program of this command.")
    private @Nullable String program;

    @Option(names = "--json", description = "Write JSON.")
    private boolean isJson;

    private @Nullable ProgramChange change;

    private final List<Map<String, Object>> rows = new ArrayList<>();

    @Override
    int run(ClusterAdmin admin) throws IOException {
        ClusterFolder here = cluster();
        if (here == null) {
            throw new CommandFailure("only the cluster of a folder of this machine can be rolled");
        }
        List<LocalNode> nodes = order(here, status(admin));
        change = ProgramChange.begin(here, program == null ? Program.current()
            : Program.of(program, Path.of("")), isJson ? _ -> { } : this::note);
        int exitCode = 0;
        for (LocalNode node : nodes) {
            exitCode = restart(here, node, admin);
            if (exitCode != 0) {
                break;
            }
        }
        if (isJson) {
            Map<String, Object> document = new LinkedHashMap<>();
            document.put("restarted", rows.size());
            document.put("nodes", nodes.size());
            document.put("rows", rows);
            print(document);
        } else {
            print("restarted " + rows.size() + " of " + nodes.size() + " nodes");
        }
        return exitCode;
    }

    /** Returns the nodes in the order of their restarts. All must run before the first is ended. */
    private List<LocalNode> order(ClusterFolder here, ClusterStatus status) {
        if (here.supervisor() == null) {
            throw new CommandFailure("the cluster of folder " + here.path() + " has no supervisor that could start "
                + "nodes\n  this starts one: ./teff cluster up" + folder().text());
        }
        only.forEach(here::node);
        List<LocalNode> nodes = new ArrayList<>();
        for (LocalNode node : here.nodes()) {
            if (node.state() != LocalNode.State.UP) {
                throw new CommandFailure(node.name() + " is not ready, so no other node is ended\n  start it: ./teff "
                    + "cluster start " + node.name() + folder().text());
            }
            if (only.isEmpty() || only.contains(node.name())) {
                nodes.add(node);
            }
        }
        nodes.sort(Comparator.comparingInt(node -> !node.isSuperpeer() ? 0 : isLeading(node, status) ? 2 : 1));
        return nodes;
    }

    private static boolean isLeading(LocalNode node, ClusterStatus status) {
        return SuperpeersCommand.superpeers(status).stream().anyMatch(member -> member.status() != null
            && member.status().standing().isLeading() && SuperpeersCommand.number(member) == node.config().number());
    }

    /** Restarts a node; returns the exit code, 0 if the cluster is as whole as before. */
    private int restart(ClusterFolder here, LocalNode node, ClusterAdmin admin) throws IOException {
        long begunNs = Clock.SYSTEM.nowNs();
        RollState before = RollState.of(status(admin));
        NodeLife life = node.life();
        boolean isDrained = isDraining && !node.isSuperpeer() && life != null;
        if (isDrained) {
            drain(Objects.requireNonNull(life), admin);
        }
        ProcessId old = node.process();
        end(node, old);
        here.requestStart(node);
        if (!await(() -> isStartedAfter(node, old), END_NS)) {
            throw new CommandFailure((here.supervisor() == null ? "the supervisor has ended, so nobody starts "
                : "the supervisor does not start ") + node.name() + "\n  its log: ./teff cluster logs supervisor"
                + folder().text());
        }
        try {
            new Readiness(here, _ -> { }, null).await(List.of(node));
        } catch (CommandFailure e) {
            if (change == null) {
                throw e;
            }
            note(change.takeBack(node, e));
            return RETURNED;
        }
        long endNs = begunNs + patienceNs();
        boolean isWhole = false;
        String lack = "";
        while (!isWhole && Clock.SYSTEM.nowNs() - endNs < 0) {
            ClusterStatus tables = admin.tables();
            lack = before.lack(tables, isBacked, lives(here));
            isWhole = tables.isAnswering() && lack.isEmpty();
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
        double seconds = (Clock.SYSTEM.nowNs() - begunNs) / 1e9;
        Map<String, Object> row = new LinkedHashMap<>();
        row.put("node", node.name());
        row.put("seconds", Math.round(seconds * 10) / 10.0);
        row.put("isWhole", isWhole);
        row.put("lack", isWhole ? null : lack);
        rows.add(row);
        if (!isJson) {
            note(String.format("  %-12s restarted, whole after %.1f s", node.name(), seconds)
                + (isWhole ? "" : ": not whole, " + lack));
        }
        return isWhole ? 0 : UNFINISHED;
    }

    /** Returns whether a node has a later process; the later process may have ended, too. */
    private static boolean isStartedAfter(LocalNode node, @Nullable ProcessId old) {
        LocalNode.Started started = node.started();
        return started != null && (old == null || !started.id().isSame(old));
    }

    private void drain(NodeLife life, ClusterAdmin admin) throws IOException {
        long endNs = Clock.SYSTEM.nowNs() + patienceNs();
        var _ = admin.moves().unload(life.nid(), patienceNs());
        while (!admin.moves().progress(life.nid()).isDone()) {
            if (Clock.SYSTEM.nowNs() - endNs > 0) {
                admin.moves().reload(life.nid(), patienceNs());
                throw new CommandFailure(life + " is not drained in time, and takes zones again");
            }
            Clock.SYSTEM.pause(this, LOOK_NS);
        }
    }

    private static void end(LocalNode node, @Nullable ProcessId process) {
        if (process == null) {
            throw new CommandFailure(node.name() + " has ended by itself; look at its log");
        }
        process.handle().ifPresent(ProcessHandle::destroy);
        if (!await(() -> !process.isAlive(), END_NS)) {
            throw new CommandFailure(node.name() + ", " + process + ", does not end\n  kill it: ./teff cluster kill "
                + node.name());
        }
    }

    private static List<NodeLife> lives(ClusterFolder here) {
        List<NodeLife> lives = new ArrayList<>();
        for (LocalNode node : here.nodes()) {
            NodeLife life = node.isSuperpeer() ? null : node.life();
            if (life != null) {
                lives.add(life);
            }
        }
        return lives;
    }
}
