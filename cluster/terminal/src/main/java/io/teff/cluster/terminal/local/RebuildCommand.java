package io.teff.cluster.terminal.local;

import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.FolderReport;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Rebuild;
import io.teff.cluster.meta.RebuildPlan;
import io.teff.cluster.meta.RebuildPlan.Finding;
import io.teff.cluster.meta.RebuildPlan.Outlook;
import io.teff.cluster.meta.Reply;
import io.teff.cluster.node.NodeDisks;
import io.teff.cluster.node.NodeDisks.Metadata;
import io.teff.cluster.terminal.node.LogFile;
import io.teff.cluster.terminal.node.ProcessId;
import io.teff.cluster.terminal.watch.CellLink;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Clock;
import io.teff.engine.os.FailureText;
import java.io.Console;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** The command {@code cluster rebuild}: makes the metadata again from the folders of the peers. */
@picocli.CommandLine.Command(
    name = "rebuild",
    description = {"Makes the metadata of a cluster again from the folders of its peers.",
        "The last resort: for a cluster whose superpeers have lost so many disks that no majority of them can come "
            + "back. If the disks still exist, put them back instead. Prints what was found, and what it assumes, "
            + "and asks before it changes something. Afterwards teff cluster up starts the cluster; zones whose "
            + "copies do not come back wait, as after every start.",
        "Nothing is deleted: what superpeers still have is set aside in their folders."},
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the metadata are made again", "1:not possible, not needed, or not agreed to; nothing was done, "
        + "unless the message says something else", "2:wrong command line"},
    footerHeading = "%nExample:%n",
    footer = "  teff cluster rebuild && teff cluster up",
    sortOptions = false)
public final class RebuildCommand extends LocalCommand {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int ZONES_SHOWN = 16;

    @Option(names = "--yes", description = "Do it without asking.")
    private boolean isAgreed;

    @Override
    public Integer call() {
        ClusterFolder cluster = folder().open();
        try {
            checkNothingRuns(cluster);
            List<LocalNode> aside = checkSuperpeers(cluster);
            List<FolderReport> reports = read(cluster);
            RebuildPlan plan = Rebuild.plan(reports);
            if (!plan.obstacles().isEmpty()) {
                throw new CommandFailure("these folders do not fit together:\n  "
                    + String.join("\n  ", plan.obstacles()) + "\n  nothing was done");
            }
            show(cluster, reports, plan, aside);
            if (!isAgreed && !ask()) {
                throw new CommandFailure("nothing was done; agree with --yes");
            }
            rebuild(cluster, plan);
            print("the metadata are made again: " + plan.zones().size() + " zones; start the cluster with: teff cluster"
                + " up" + folder().text());
            return 0;
        } catch (IOException e) {
            throw new CommandFailure("the folder " + cluster.path() + " cannot be used: " + FailureText.of(e), e);
        }
    }

    // ---- checks ----

    private void checkNothingRuns(ClusterFolder cluster) {
        ProcessId supervisor = cluster.supervisor();
        List<String> running = new ArrayList<>(cluster.nodes().stream().filter(node -> node.process() != null)
            .map(LocalNode::name).toList());
        if (supervisor != null) {
            running.add("the supervisor");
        }
        if (!running.isEmpty()) {
            throw new CommandFailure("nodes of this cluster still run: " + String.join(", ", running)
                + "; the folders of peers are read when all have ended\n  end them: teff cluster down"
                + folder().text());
        }
    }

    /** Checks that no majority of superpeers can come back. Returns those that have something to set aside. */
    private List<LocalNode> checkSuperpeers(ClusterFolder cluster) {
        List<LocalNode> all = cluster.nodes().stream().filter(LocalNode::isSuperpeer).toList();
        List<LocalNode> whole = cluster.isRebuilding() ? List.of()
            : all.stream().filter(node -> NodeDisks.metadata(node.config()) == Metadata.WHOLE).toList();
        if (2 * whole.size() > all.size()) {
            throw new CommandFailure("the metadata are not lost: " + names(whole) + " " + (whole.size() == 1 ? "has"
                + " its log" : "have their logs") + ", which is a majority of the superpeers\n  start the cluster: teff"
                + " cluster up" + folder().text());
        }
        return whole;
    }

    private static String names(List<LocalNode> nodes) {
        return nodes.stream().map(LocalNode::name).collect(Collectors.joining(", "));
    }

    private List<FolderReport> read(ClusterFolder cluster) throws IOException {
        List<FolderReport> reports = new ArrayList<>();
        for (LocalNode node : cluster.nodes()) {
            if (!node.isSuperpeer()) {
                try {
                    FolderReport report = NodeDisks.read(node.config());
                    if (report != null) {
                        reports.add(report);
                    }
                } catch (StoreException e) {                    // as if its disk were lost: its zones wait for it
                    note("warning: the log of " + node.name() + " cannot be opened, and is left out: "
                        + FailureText.of(e));
                }
            }
        }
        if (reports.isEmpty()) {
            throw new CommandFailure("no peer has a log: there is nothing from which the metadata could be made"
                + "\n  begin an empty cluster: teff cluster up --fresh" + folder().text());
        }
        return reports;
    }

    // ---- what is told ----

    private void show(ClusterFolder cluster, List<FolderReport> reports, RebuildPlan plan,
                      List<LocalNode> aside) {
        print("found:");
        for (FolderReport report : reports) {
            print(String.format(Locale.ROOT, "  %-12s %d copies of zones, %s", report.name(), report.copies().size(),
                report.tables() == null ? "no tables" : "tables of version " + report.tables().version()));
        }
        for (NodeRow row : plan.missing()) {
            print("  missing      node " + row.nid() + (row.address().isEmpty() ? "" : " at " + row.address())
                + ": its folder has no log here");
        }
        show(plan, Outlook.SERVED, "zones of which all copies that count are here");
        show(plan, Outlook.WAITING, "zones that will wait for the copies of missing nodes; teff cluster accept-loss "
            + "gives these up");
        show(plan, Outlook.DOUBTFUL, "zones that will wait for a person: a copy has later changes than those that count"
            + ", and may not be the whole zone; teff cluster accept-loss gives it up");
        show(plan, Outlook.LOST, "zones of which no copy can be used: lost");
        long later = plan.findings().stream().filter(Finding::isLater).count();
        print("assumed:");
        print("  - the superpeers' disks never come back into use: " + names(cluster.nodes().stream()
            .filter(LocalNode::isSuperpeer).toList())
            + (aside.isEmpty() ? "" : "; what " + names(aside) + " still has is set aside, and not used"));
        print("  - these are all folders that peers of this cluster have had, except for the missing ones; of zones"
            + " that only others have, nothing is known");
        print("  - the tables in these folders are at most seconds older than the last change of the metadata"
            + (later == 0 ? "" : "; " + later + " zones have later changes than they say"));
        print("  - zones that had no backup are lost, and so are changes that were acknowledged at OWNER alone");
        print("  - all sessions of clients have ended: a call that was under way has an unknown outcome");
    }

    private void show(RebuildPlan plan, Outlook outlook, String text) {
        List<Integer> zones = plan.zones(outlook);
        if (!zones.isEmpty()) {
            print("  " + zones.size() + " " + text + ": " + zones.stream().limit(ZONES_SHOWN).map(String::valueOf)
                .collect(Collectors.joining(" ")) + (zones.size() > ZONES_SHOWN ? " ..." : ""));
        }
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

    /** Founds a cell that has the planned metadata before any node joins. If it fails, the next one begins anew. */
    private void rebuild(ClusterFolder cluster, RebuildPlan plan) throws IOException {
        List<LocalNode> superpeers = cluster.nodes().stream().filter(LocalNode::isSuperpeer).toList();
        cluster.beginRebuild();
        for (LocalNode node : superpeers) {
            node.setAside();
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
        }
        cluster.endRebuild();
    }

    private void send(ClusterFolder cluster, RebuildPlan plan) throws IOException {
        try (CellLink link = CellLink.open(cluster.entrance())) {
            for (Command.ZonesRebuilt part : plan.commands(Chance.SYSTEM.nextLong())) {
                Reply reply = link.send(part, PATIENCE_NS);
                if (!(reply instanceof Reply.Done)) {
                    throw new CommandFailure("part " + (part.part() + 1) + " of " + part.parts() + " of the metadata"
                        + " was not taken: " + (reply == null ? "no superpeer leads" : reply) + unfinished());
                }
            }
            if (!await(() -> link.refresh() && link.tables().version() >= plan.version(), PATIENCE_NS)
                || link.tables().zones().size() != plan.zones().size()) {
                throw new CommandFailure("the new cell does not have the metadata" + unfinished());
            }
        }
    }

    private String unfinished() {
        return "\n  the folders of the peers are as they were; try again: teff cluster rebuild" + folder().text();
    }
}
