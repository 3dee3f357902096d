package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterRebuild;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeSettings;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.FolderReport;
import io.teff.cluster.meta.KnownTables;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Rebuild;
import io.teff.cluster.meta.RebuildPlan;
import io.teff.cluster.meta.RebuildPlan.Finding;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.node.NodeDisks;
import io.teff.engine.error.StoreException;
import io.teff.engine.os.Chance;
import io.teff.engine.os.Platform;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.LockedException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** New metadata of a cluster, made from the folders of peers. */
final class FolderRebuild implements ClusterRebuild {
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final List<Folder> folders;
    private final RebuildPlan plan;
    private final Platform platform;

    private FolderRebuild(List<Folder> folders, RebuildPlan plan, Platform platform) {
        this.platform = platform;
        this.folders = List.copyOf(folders);
        this.plan = plan;
    }

    /** Reads the folders of the peers among some nodes. */
    static FolderRebuild read(List<NodeSettings> nodes, int backups, Platform platform) throws IOException {
        List<FolderReport> reports = new ArrayList<>();
        List<Folder> unread = new ArrayList<>();
        for (NodeSettings node : nodes) {
            if (node.role() == NodeRole.PEER) {
                try {
                    FolderReport report = NodeDisks.read(CheckedSettings.config(node));
                    if (report != null) {
                        reports.add(report);
                    }
                } catch (LockedException e) {
                    throw e;
                } catch (IOException | StoreException e) {      // like a lost disk: zones wait for the folder
                    unread.add(new Folder(node.name(), 0, null, FailureText.of(e)));
                }
            }
        }
        return of(reports, unread, backups, platform);
    }

    /**
     * Makes a plan from reports of folders.
     *
     * @param reports contents of the read folders
     * @param unread the unreadable folders
     * @param backups wanted backups of each zone
     * @param platform clock and threads of connections
     * @return the plan
     */
    static FolderRebuild of(List<FolderReport> reports, List<Folder> unread, int backups, Platform platform) {
        List<Folder> folders = new ArrayList<>();
        for (FolderReport report : reports) {
            KnownTables tables = report.tables();
            folders.add(new Folder(report.name(), report.copies().size(), tables == null ? null : tables.version(),
                null));
        }
        folders.addAll(unread);
        return new FolderRebuild(folders, Rebuild.plan(reports, backups), platform);
    }

    @Override
    public List<Folder> folders() {
        return folders;
    }

    @Override
    public List<String> obstacles() {
        return plan.obstacles();
    }

    @Override
    public List<Peer> peers() {
        return peers(plan.tables().nodes());
    }

    @Override
    public List<Peer> missing() {
        return peers(plan.missing());
    }

    private static List<Peer> peers(List<NodeRow> rows) {
        return rows.stream().map(row -> new Peer(row.nid(), row.address())).toList();
    }

    @Override
    public List<Zone> zones() {
        List<Zone> zones = new ArrayList<>();
        Iterator<Finding> findings = plan.findings().iterator();
        for (ZoneRow row : plan.tables().zones()) {
            Finding finding = findings.next();
            assert finding.zone() == row.zone() : finding;
            zones.add(new Zone(RowViews.zone(row), Outlook.valueOf(finding.outlook().name()), finding.isLater()));
        }
        return zones;
    }

    @Override
    public void begin(NodeSettings superpeer) throws IOException {
        NodeDisks.beginRebuild(CheckedSettings.config(superpeer));
    }

    @Override
    public @Nullable String send(NodeSettings superpeer, long patienceNs) throws IOException {
        List<Command.ZonesRebuilt> parts = plan.commands(Chance.SYSTEM.nextLong());
        try (CellLink link = CellLink.open(superpeer.client(), platform)) {
            for (Command.ZonesRebuilt part : parts) {
                CommandReply reply = link.send(part, patienceNs);
                if (!(reply instanceof CommandReply.Done)) {
                    return "part " + (part.part() + 1) + " of " + part.parts() + " of the metadata was not taken: "
                        + (reply == null ? "no superpeer leads" : reply);
                }
            }
            return awaitVersion(link, parts.getLast().tables().version(), patienceNs)
                && link.tables().zones().size() == plan.tables().zones().size() ? null
                : "the new cell does not have the metadata";
        }
    }

    private boolean awaitVersion(CellLink link, long version, long patienceNs) {
        Deadline limit = Deadline.in(platform.clock(), patienceNs);
        while (!link.refresh(limit) || link.tables().version() < version) {
            if (limit.isOver()) {
                return false;
            }
            platform.clock().pause(link, POLL_NS);
        }
        return true;
    }

    @Override
    public void end(NodeSettings superpeer) throws IOException {
        NodeDisks.endRebuild(CheckedSettings.config(superpeer));
    }
}
