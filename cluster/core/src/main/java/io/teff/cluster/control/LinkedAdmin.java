package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Threads;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Administers a cluster over a connection. */
final class LinkedAdmin implements ClusterAdmin {
    private final CellLink link;
    private final ClusterReader reader;
    private final Clock clock;
    private final Threads threads;
    private final List<StatusWatch> watches = new CopyOnWriteArrayList<>();

    LinkedAdmin(CellLink link, Clock clock, Threads threads) {
        this.link = link;
        this.clock = clock;
        this.threads = threads;
        reader = new ClusterReader(link);
    }

    @Override
    public ClusterStatus status() {
        return reader.all();
    }

    @Override
    public ClusterStatus tables() {
        return reader.tables();
    }

    @Override
    public void warm() {
        link.warm();
    }

    @Override
    public boolean reportEnd(NodeLife life, long patienceNs) {
        return link.send(new Command.Ended(RowViews.node(life)), patienceNs) != null;
    }

    @Override
    public Acceptance acceptLoss(ZoneStatus zone, ZoneStatus.@Nullable Copy chosen, long patienceNs) {
        if (!zone.isWaiting()) {
            throw new IllegalArgumentException("zone " + zone.zone() + " does not wait, its state is " + zone.state());
        }
        if (chosen != null && !zone.outdated().contains(chosen)) {
            throw new IllegalArgumentException("zone " + zone.zone() + " has no older copy " + chosen);
        }
        CommandReply reply = link.send(new Command.AcceptLoss(zone.zone(), zone.epoch(),
            chosen == null ? 0 : chosen.node().nid(), chosen == null ? 0 : chosen.copy()), patienceNs);
        return reply == null ? Acceptance.UNANSWERED
            : reply instanceof CommandReply.Done ? Acceptance.ACCEPTED : Acceptance.CHANGED;
    }

    @Override
    public Watch watch(Consumer<ClusterEvent> listener) {
        watches.removeIf(StatusWatch::isClosed);
        StatusWatch watch = StatusWatch.start(reader, clock, threads, listener);
        watches.add(watch);
        return watch;
    }

    @Override
    public void close() {
        watches.forEach(StatusWatch::close);
        link.close();
    }
}
