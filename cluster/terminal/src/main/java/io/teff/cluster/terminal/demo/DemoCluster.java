package io.teff.cluster.terminal.demo;

import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.terminal.local.ClusterFolder;
import io.teff.cluster.terminal.local.CommandFailure;
import io.teff.cluster.terminal.local.LocalCluster;
import io.teff.cluster.terminal.local.LocalNode;
import io.teff.engine.os.FailureText;
import io.teff.engine.os.Threads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The cluster of the demo: a running cluster, or a new cluster that ends with the demo. */
final class DemoCluster implements AutoCloseable {
    private final ClusterFolder folder;
    private final boolean isOwn;
    private final AtomicBoolean isEnded = new AtomicBoolean();

    private DemoCluster(ClusterFolder folder, boolean isOwn) {
        this.folder = folder;
        this.isOwn = isOwn;
    }

    /** Uses a running cluster. */
    static DemoCluster running(ClusterFolder folder) {
        return new DemoCluster(folder, false);
    }

    /**
     * Starts a cluster. Unless {@code isKept}, the cluster ends when this object is closed, or when the process ends.
     */
    static DemoCluster start(int superpeers, int peers, boolean isKept, Consumer<String> reports) {
        DemoCluster cluster = new DemoCluster(LocalCluster.startTemporary(superpeers, peers, reports), !isKept);
        if (!isKept) {
            Runtime.getRuntime().addShutdownHook(Threads.SYSTEM.create("teff-demo-end", () -> {
                try {
                    cluster.close();
                } catch (CommandFailure e) {
                    reports.accept(FailureText.of(e));
                }
            }));
        }
        return cluster;
    }

    ClusterFolder folder() {
        return folder;
    }

    /** Returns whether the cluster ends with the demo. */
    boolean isOwn() {
        return isOwn;
    }

    /** Returns the peer to be killed: the peer {@code name}, or without a name the owner of {@code zone}. */
    LocalNode victim(@Nullable String name, int zone, ClusterStatus status) {
        LocalNode victim = name != null ? folder.node(name) : owner(zone, status);
        NodeLife life = victim.life();
        if (victim.isSuperpeer() || victim.process() == null || life == null) {
            throw new CommandFailure(victim.name() + (victim.isSuperpeer() ? " is no peer" : " does not run"));
        }
        if (status.zones().stream().anyMatch(row -> row.isOwnedBy(life) && row.backups().isEmpty())) {
            throw new CommandFailure(victim.name() + " owns zones without a backup: the demo needs at least two peers");
        }
        return victim;
    }

    private LocalNode owner(int zone, ClusterStatus status) {
        ZoneStatus row = status.zone(zone);
        for (LocalNode node : folder.nodes()) {
            NodeLife life = node.life();
            if (row != null && life != null && row.isOwnedBy(life)) {
                return node;
            }
        }
        throw new CommandFailure("zone " + zone + " has no owner in folder " + folder.path());
    }

    /** Ends the cluster if it is the demo's own. Idempotent. */
    @Override
    public void close() {
        if (isOwn && isEnded.compareAndSet(false, true)) {
            LocalCluster.endTemporary(folder);
        }
    }
}
