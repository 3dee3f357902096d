package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.OptionValue;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command {@code cluster up}: starts a cluster on this machine. */
@Command(
    name = "up",
    description = {
        "Starts a cluster on this machine: a process for each node, and a supervisor that waits for them.",
        "If the folder has a cluster that has ended, starts its nodes again, with all that their disks have.",
        "All ports are those of 127.0.0.1, so other machines do not reach the cluster. If nodes run without their "
            + "supervisor, starts a new one, which takes them over."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the cluster is ready; with --foreground: the cluster has ended in order",
        "1:something is in the way, or a node of an old cluster cannot start; the others run then",
        "2:wrong command line",
        "3:the cluster is ready, but zones are lost, or wait for copies that have not come back"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster up --peers 4 --superpeers 3",
    sortOptions = false)
public final class UpCommand extends LocalCommand {
    private static final Set<Integer> SUPERPEERS = Set.of(1, 3, 5);
    private static final Set<String> TRANSPORTS = Set.of(ClusterPlan.TCP, "ucx");
    private static final int PORT_MIN = 1024;
    private static final int BACKUPS_MAX = 4;
    private static final int HEAP_MB_MIN = 48;
    private static final int HEAP_MB_MAX = 65_536;
    private static final long MEMORY_MIN = 64L << 20;

    @Option(names = "--peers", paramLabel = "N", defaultValue = "4",
        description = "Number of peers, 1 to 64. Default: ${DEFAULT-VALUE}.")
    private int peers;

    @Option(names = "--superpeers", paramLabel = "N", defaultValue = "3",
        description = "Number of superpeers, 1, 3 or 5: the cluster goes on while more than half of them run. Default: "
            + "${DEFAULT-VALUE}.")
    private int superpeers;

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "7400",
        description = {"First port. Superpeers listen from it on, peers from the tenth port behind it on.",
            "Default: ${DEFAULT-VALUE}."})
    private int port;

    @Option(names = "--memory", paramLabel = "BYTES", defaultValue = "1g",
        description = "Most memory for chunks of each peer. Default: ${DEFAULT-VALUE}.")
    private String memory = ClusterPlan.MEMORY;

    @Option(names = "--heap-mb", paramLabel = "N", defaultValue = "192",
        description = "Java heap of each peer in MiB. Default: ${DEFAULT-VALUE}.")
    private int heapMb;

    @Option(names = "--backups", paramLabel = "N", defaultValue = "2",
        description = {"Backups of each zone, 1 to 4: each change is on so many peers beside the owner. With fewer "
            + "other peers, all of them are backups.", "Default: ${DEFAULT-VALUE}."})
    private int backups;

    @Option(names = "--racks", paramLabel = "N", defaultValue = "0",
        description = {"Number of racks, to try out what racks do: peers belong to the racks rack-1 to rack-N in turn. "
            + "0 for a rack of its own for each peer.", "Default: ${DEFAULT-VALUE}."})
    private int racks;

    @Option(names = "--transport", paramLabel = "NAME", defaultValue = ClusterPlan.TCP,
        description = {"Transport between nodes, and to clients: tcp, or ucx, which is shared memory between processes "
            + "of a machine and needs OpenUCX.", "Default: ${DEFAULT-VALUE}."})
    private String transport = ClusterPlan.TCP;

    @Option(names = "--fresh", description = "Delete the old cluster of the folder, if there is one, with all it has.")
    private boolean isFresh;

    @Option(names = "--foreground", description = {"Stay, and end the cluster when this command ends.",
        "Without this option, the cluster outlives the terminal, the session and the process group of the command."})
    private boolean isForeground;

    private boolean isOld;

    @Override
    public Integer call() throws InterruptedException {
        checkOptions();
        try {
            ClusterFolder cluster = prepare();
            return isForeground ? stay(cluster) : start(cluster);
        } catch (IOException e) {
            throw new CommandFailure("the folder " + folder().path() + " cannot be used: " + FailureText.of(e), e);
        }
    }

    private void checkOptions() {
        check(peers >= 1 && peers <= ClusterPlan.PEERS_MAX, "--peers " + peers + "; allowed: 1 to "
            + ClusterPlan.PEERS_MAX);
        check(SUPERPEERS.contains(superpeers), "--superpeers " + superpeers + "; allowed: 1, 3 or 5");
        check(port >= PORT_MIN && port <= ClusterPlan.PORT_MAX, "--port " + port + "; allowed: " + PORT_MIN
            + " to " + ClusterPlan.PORT_MAX);
        check(OptionValue.of(memory).bytes() >= MEMORY_MIN, "--memory " + memory + "; allowed: sizes from 64m");
        check(TRANSPORTS.contains(transport), "--transport " + transport + "; allowed: tcp or ucx");
        check(backups >= 1 && backups <= BACKUPS_MAX, "--backups " + backups + "; allowed: 1 to " + BACKUPS_MAX);
        check(racks >= 0 && racks <= peers, "--racks " + racks + "; allowed: 0 to the number of peers");
        check(heapMb >= HEAP_MB_MIN && heapMb <= HEAP_MB_MAX, "--heap-mb " + heapMb + "; allowed: " + HEAP_MB_MIN
            + " to " + HEAP_MB_MAX);
    }

    private void check(boolean holds, String fault) {
        if (!holds) {
            throw new ParameterException(spec().commandLine(), fault);
        }
    }

    // ---- the folder ----

    /** Returns a new cluster, an ended cluster, or a cluster with nodes but no supervisor. */
    private ClusterFolder prepare() throws IOException {
        Path path = folder().path();
        if (ClusterFolder.isCluster(path)) {
            ClusterFolder old = folder().open();
            ProcessId supervisor = old.supervisor();
            if (supervisor != null) {
                throw new CommandFailure("the cluster of folder " + path + " is running: its supervisor is "
                    + supervisor + "\n  look at it:      ./teff cluster status" + folder().text()
                    + startText(old)
                    + "\n  end it:          ./teff cluster down" + folder().text()
                    + "\n  start another:   --dir DIR --port PORT");
            }
            if (old.isRebuilding() && !isFresh) {
                throw new CommandFailure("the metadata of this cluster were being rebuilt, and are not complete"
                    + "\n  begin again:  ./teff cluster rebuild" + folder().text()
                    + "\n  take it back: " + RebuildCommand.takeBack());
            }
            List<String> running = old.nodes().stream().filter(node -> node.process() != null).map(LocalNode::name)
                .toList();
            if (!running.isEmpty()) {
                note("the supervisor of this cluster has ended, but " + String.join(", ", running)
                    + " still run: a new supervisor takes them over");
                isOld = true;
                return old;
            }
            if (!isFresh) {
                isOld = true;
                return again(old);
            }
            old.delete();
        } else if (Files.exists(path)) {
            try (Stream<Path> files = Files.list(path)) {
                if (files.findAny().isPresent()) {
                    throw new CommandFailure("folder " + path + " is in use for something else: it is not empty, and "
                        + "it is no cluster's; name another one with --dir");
                }
            }
        }
        ClusterPlan plan = new ClusterPlan(superpeers, peers, port, memory, heapMb, transport, backups, racks);
        checkPorts(plan, false);
        LocalCluster.checkTransport(plan);
        return ClusterFolder.create(path, plan);
    }

    /** Returns the commands to start the ended nodes of a cluster, a line for each node; empty if all nodes run. */
    private String startText(ClusterFolder cluster) {
        return cluster.nodes().stream().filter(node -> node.process() == null)
            .map(node -> "\n  start " + node.name() + ":" + " ".repeat(Math.max(1, 9 - node.name().length()))
                + "./teff cluster start " + node.name() + folder().text())
            .collect(Collectors.joining());
    }

    /** Prepares the start of a cluster without processes. */
    private ClusterFolder again(ClusterFolder old) throws IOException {
        ClusterPlan plan = old.plan();
        checkSame("--peers", peers, plan.peers());
        checkSame("--superpeers", superpeers, plan.superpeers());
        checkSame("--port", port, plan.port());
        checkSame("--memory", memory, plan.memory());
        checkSame("--heap-mb", heapMb, plan.heapMb());
        checkSame("--transport", transport, plan.transport());
        checkSame("--backups", backups, plan.backups());
        checkSame("--racks", racks, plan.racks());
        MetadataCheck.check(old, folder());
        checkPorts(plan, true);
        LocalCluster.checkTransport(plan);
        note("folder " + old.path() + " has a cluster that has ended: its " + old.nodes().size()
            + " nodes start again, with what their disks have");
        for (LocalNode node : old.nodes()) {
            old.restore(node);
            node.forget();
        }
        return old;
    }

    /** Refuses a given option with another value than the cluster of the folder. */
    private void checkSame(String option, Object wanted, Object known) {
        if (spec().commandLine().getParseResult().hasMatchedOption(option) && !wanted.equals(known)) {
            throw new CommandFailure("the cluster of folder " + folder().path() + " was made with " + option + " "
                + known + "\n  start it as it is:       leave out " + option
                + "\n  delete it with its data: ./teff cluster up --fresh" + folder().text() + " " + option + " "
                + wanted
                + "\n  start another:           --dir DIR --port PORT");
        }
    }

    private void checkPorts(ClusterPlan plan, boolean isFixed) {
        List<String> faults = LocalCluster.busyPorts(plan);
        if (faults.isEmpty()) {
            return;
        }
        String advice = "the cluster of this folder has these ports for ever: end what uses them";
        if (!isFixed) {
            int free = LocalCluster.freePort(plan);
            advice = "use other ports: --port " + (free == 0 ? "PORT" : free) + "; a cluster uses up to "
                + ClusterPlan.PORTS + " from this port on";
        }
        throw new CommandFailure(String.join("\n", faults) + "\n  " + advice + "\n  perhaps a cluster of another folder"
            + " or user runs: a program with these addresses uses that cluster");
    }

    // ---- the processes ----

    private int stay(ClusterFolder cluster) throws IOException, InterruptedException {
        long begunNs = Clock.SYSTEM.nowNs();
        Threads.SYSTEM.start("teff-ready", () -> {
            try {
                Readiness.Outcome outcome = new Readiness(cluster, this::note, null).awaitMost();
                printReady(cluster, begunNs);
                outcome.missing().forEach(this::note);
            } catch (CommandFailure e) {
                FailureText.of(e).lines().forEach(this::note);
            }
        });
        Supervisor.run(cluster, true);
        return 0;
    }

    /**
     * A new cluster becomes ready as a whole or not at all. A cluster with data continues without a node that cannot
     * start.
     */
    private int start(ClusterFolder cluster) {
        long begunNs = Clock.SYSTEM.nowNs();
        Readiness.Outcome outcome;
        try {
            outcome = LocalCluster.start(cluster, !isOld, this::note);
        } catch (CommandFailure e) {
            throw new CommandFailure(FailureText.of(e).stripTrailing() + "\n  everything has ended again; the logs stay"
                + "\n  try again: ./teff cluster up" + folder().text(), e);
        }
        printReady(cluster, begunNs);
        if (outcome.hasUnserved()) {
            note("zones wait or are lost, as the warnings say; look again: ./teff cluster status" + folder().text());
        }
        if (outcome.missing().isEmpty()) {
            return outcome.hasUnserved() ? UnservedZones.EXIT_CODE : 0;
        }
        throw new CommandFailure(String.join("", outcome.missing()).stripTrailing()
            + "\n  the other nodes run; when the reason is gone: ./teff cluster start NODE" + folder().text()
            + "\n  a node whose data cannot be read begins anew, without its copies, if you move its folder data away");
    }

    private void printReady(ClusterFolder cluster, long begunNs) {
        String addresses = String.join("\", \"", cluster.entrance().superpeers());
        print(String.format(Locale.ROOT, "ready after %.1f s: %d superpeer(s), %d peer(s), folder %s",
            (Clock.SYSTEM.nowNs() - begunNs) / 1e9, cluster.plan().superpeers(), cluster.plan().peers(),
            cluster.path()));
        List<LocalNode> down = cluster.nodes().stream().filter(node -> node.process() == null).toList();
        down.forEach(node -> print("  down      " + node.name() + ": ./teff cluster start " + node.name()
            + folder().text()));
        print("  connect   ClusterStore.connect(\"" + addresses + "\")");
        print("  look      ./teff cluster status --watch" + folder().text());
        print("  try       ./teff cluster kill peer-1" + folder().text() + " && ./teff cluster start peer-1"
            + folder().text());
        print("  end       ./teff cluster down" + folder().text());
    }
}
