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
    public Acceptance acceptLoss(ZoneStatus zone, long patienceNs) {
        if (zone.state() != ZoneStatus.State.WAITING) {
            throw new IllegalArgumentException("zone " + zone.zone() + " does not wait, its state is " + zone.state());
        }
        CommandReply reply = link.send(new Command.AcceptLoss(zone.zone(), zone.epoch(), 0, 0), patienceNs);
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
