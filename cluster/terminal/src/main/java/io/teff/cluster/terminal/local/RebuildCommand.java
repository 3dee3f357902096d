package io.teff.cluster.terminal.local;

import io.teff.cluster.admin.ClusterRebuild;
import io.teff.cluster.terminal.node.LogFile;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.engine.os.Clock;
import io.teff.engine.os.DiskLock;
import io.teff.engine.os.FailureText;
import java.io.Console;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command {@code cluster rebuild}: makes the metadata again from the folders of the peers. */
@Command(
    name = "rebuild",
    description = {"Makes the metadata of a cluster again from the folders of its peers.",
        "The last resort: for a cluster whose superpeers have lost so many disks that no majority of them can come "
            + "back. If the disks still exist, put them back instead. Prints what was found, and what it assumes, "
            + "and asks before it changes something. Afterwards ./teff cluster up starts the cluster; zones whose "
            + "copies do not come back wait, as after every start.",
        "Nothing is deleted: what superpeers still have is set aside in their folders."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the metadata are made again", "1:not possible, not needed, or not agreed to; nothing was done, "
        + "unless the message says something else", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  ./teff cluster rebuild && ./teff cluster up",
    sortOptions = false)
public final class RebuildCommand extends LocalCommand {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    @Option(names = "--yes", description = "Do it without asking.")
    private boolean isAgreed;

    @Option(names = "--set-aside", description = {"Set aside also the whole metadata of a majority of the superpeers.",
        "For superpeers that have begun an empty cell after their disks were lost. With metadata that are those of "
            + "the cluster, use ./teff cluster up instead."})
    private boolean isSettingAside;

    @Override
    public Integer call() {
        ClusterFolder cluster = folder().open();
        checkNothingRuns(cluster);
        try (DiskLock _ = cluster.lock()) {
            try {
                int zones = rebuild(cluster);
                print("the metadata are made again: " + zones + " zones; start the cluster with: ./teff cluster up"
                    + folder().text());
                print("  to take that back before the start: " + takeBack());
                return 0;
            } finally {
                cluster.forgetSupervisor();
            }
        } catch (IOException e) {
            throw new CommandFailure("the folder " + cluster.path() + " cannot be used: " + FailureText.of(e), e);
        }
    }

    /** Rebuilds the metadata; returns the number of zones. This command holds the supervisor's lock. */
    private int rebuild(ClusterFolder cluster) throws IOException {
        checkNothingRuns(cluster);
        List<LocalNode> aside = checkSuperpeers(cluster);
        ClusterRebuild plan = read(cluster);
        if (!plan.obstacles().isEmpty()) {
            throw new CommandFailure("these folders do not fit together:\n  "
                + String.join("\n  ", plan.obstacles()) + "\n  nothing was done");
        }
        RebuildText text = new RebuildText(cluster, plan);
        print("found:");
        text.found().forEach(this::print);
        print("assumed:");
        text.assumed(aside).forEach(this::print);
        if (!isAgreed && !ask()) {
            throw new CommandFailure("nothing was done; agree with --yes");
        }
        checkNothingRuns(cluster);                              // the answer may have taken hours
        checkSuperpeers(cluster);
        rebuild(cluster, plan);
        return plan.zones().size();
    }

    // ---- checks ----

    private void checkNothingRuns(ClusterFolder cluster) {
        ProcessId supervisor = cluster.supervisor();
        List<String> running = new ArrayList<>(cluster.nodes().stream().filter(node -> node.process() != null)
            .map(LocalNode::name).toList());
        if (supervisor != null && !supervisor.isSame(ProcessId.current())) {
            running.add("the supervisor, or another command, " + supervisor);
        }
        if (!running.isEmpty()) {
            throw new CommandFailure("nodes of this cluster still run: " + String.join(", ", running)
                + "; the folders of peers are read when all have ended\n  end them: ./teff cluster down"
                + folder().text());
        }
    }

    /**
     * Checks that no majority of superpeers can come back, or that the user wants a rebuild nevertheless. Returns the
     * superpeers with data to set aside.
     */
    private List<LocalNode> checkSuperpeers(ClusterFolder cluster) {
        List<LocalNode> whole = cluster.isRebuilding() ? List.of() : MetadataCheck.whole(cluster);
        if (!isSettingAside && 2 * whole.size() > MetadataCheck.superpeers(cluster).size()) {
            throw new CommandFailure("the metadata are not lost: " + RebuildText.names(whole) + " " + (whole.size() == 1
                ? "has its log" : "have their logs") + ", which is a majority of the superpeers\n  start the cluster: "
                + "./teff cluster up" + folder().text() + "\n  if they have begun an empty cell after the loss of "
                + "their disks: ./teff cluster rebuild --set-aside" + folder().text());
        }
        return whole;
    }

    private ClusterRebuild read(ClusterFolder cluster) throws IOException {
        ClusterRebuild plan = ClusterRebuild.plan(cluster.nodes().stream().map(LocalNode::config).toList(),
            cluster.entrance().backups());
        if (plan.folders().stream().noneMatch(read -> read.unread() == null)) {
            throw new CommandFailure("no peer has a log that can be read: there is nothing from which the metadata "
                + "could be made" + plan.folders().stream().map(it -> "\n  " + it.name() + ": " + it.unread())
                    .collect(Collectors.joining()) + "\n  begin an empty cluster: ./teff cluster up --fresh"
                + folder().text());
        }
        return plan;
    }

    private boolean ask() {
        Console console = System.console();
        if (console == null || !console.isTerminal()) {
            return false;
        }
        String answer = console.readLine("Make the metadata again from what was found? Type yes: ");
        return answer != null && answer.strip().equalsIgnoreCase("yes");
    }

    // ---- the rebuild ----

    /**
     * Founds a cell, and gives the cell the planned metadata before any node joins. After a failure, the next rebuild
     * begins from the start.
     */
    private void rebuild(ClusterFolder cluster, ClusterRebuild plan) throws IOException {
        List<LocalNode> superpeers = MetadataCheck.superpeers(cluster);
        cluster.beginRebuild();
        for (LocalNode node : superpeers) {
            node.setAside();
            plan.begin(node.config());
        }
        try (LogFile log = new LogFile(cluster.path().resolve(ClusterFolder.SUPERVISOR_LOG), Clock.SYSTEM)) {
            log.accept("rebuilds the metadata of " + plan.zones().size() + " zones");
            boolean isDone = false;
            try {
                Supervisor.startAlone(superpeers, cluster.plan());
                new Readiness(cluster, this::note, null).await(superpeers);
                send(cluster, plan);
                isDone = true;
            } finally {
                Supervisor.endAll(cluster, log);
                log.accept(isDone ? "the metadata are made again" : "the rebuild has failed");
            }
        }
        for (LocalNode node : superpeers) {
            node.forget();
            plan.end(node.config());
        }
        cluster.endRebuild();
    }

    private void send(ClusterFolder cluster, ClusterRebuild plan) throws IOException {
        String fault = plan.send(cluster.entrance(), PATIENCE_NS);
        if (fault != null) {
            throw new CommandFailure(fault + unfinished());
        }
    }

    private String unfinished() {
        return "\n  the folders of the peers are as they were; try again: ./teff cluster rebuild" + folder().text()
            + "\n  or take it back: " + takeBack();
    }

    /** Returns a text with the steps to undo a rebuild before the cluster has started. */
    static String takeBack() {
        return "put the data.aside-N that a superpeer had in the place of its data, and delete " + ClusterFolder.REBUILD
            + " of the cluster, if it is there";
    }
}
