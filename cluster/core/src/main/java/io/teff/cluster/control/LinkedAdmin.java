package io.teff.cluster.control;

import io.teff.cluster.admin.ClusterAdmin;
import io.teff.cluster.admin.ClusterEvent;
import io.teff.cluster.admin.ClusterFigures;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.FigureHistory;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.config.Address;
import io.teff.cluster.message.AccessAnswer;
import io.teff.cluster.message.RestartAnswer;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.engine.os.Clock;
import io.teff.engine.os.Deadline;
import io.teff.engine.os.Threads;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Administers a cluster over a connection. */
final class LinkedAdmin implements ClusterAdmin {
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(50);

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
    public ClusterFigures figures() {
        return reader.figures();
    }

    @Override
    public @Nullable FigureHistory history(int nid, FigureHistory.Span span) {
        return CellLink.joined(link.history(nid, span));
    }

    @Override
    public @Nullable List<String> log(int nid, int lines) {
        return CellLink.joined(link.log(nid, lines));
    }

    @Override
    public String restart(int nid, long process) {
        RestartAnswer answer = CellLink.joined(link.restart(nid, process));
        return answer == null ? "node " + nid + " does not answer" : answer.refusal();
    }

    @Override
    public List<NodeAccess> access() {
        Map<NodeLife, CompletableFuture<@Nullable AccessAnswer>> asked = new LinkedHashMap<>();
        for (ClusterStatus.Member member : reader.tables().nodes()) {
            if (member.isAlive()) {
                asked.put(member.life(), link.access(member.life().nid()));
            }
        }
        List<NodeAccess> found = new ArrayList<>();
        asked.forEach((life, future) -> {
            AccessAnswer answer = future.join();
            if (answer != null) {
                found.add(new NodeAccess(life, answer.caller(), answer.state()));
            }
        });
        return found;
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
    public ClusterMoves moves() {
        return new LinkedMoves(link, reader);
    }

    @Override
    public int addSuperpeer(String address, long patienceNs) throws IOException {
        Address parsed = Address.parse(address);
        if (parsed == null) {
            throw new IllegalArgumentException('"' + address + "\" is no address");
        }
        CommandReply reply = change(new Command.AddSuperpeer(parsed.link()), patienceNs);
        if (reply instanceof CommandReply.SuperpeerGiven given) {
            return given.number();
        }
        throw new IOException("the superpeer is not added: " + reply);
    }

    @Override
    public void removeSuperpeer(int number, long patienceNs) throws IOException {
        var _ = change(new Command.RemoveSuperpeer(number), patienceNs);
    }

    /** Sends a change of the superpeers until it is taken: another change may be under way. */
    private CommandReply change(Command command, long patienceNs) throws IOException {
        Deadline limit = Deadline.in(clock, patienceNs);
        while (true) {
            CommandReply reply = link.send(command, limit.leftNs());
            if (reply == null) {
                throw new IOException("no superpeer leads, within " + limit);
            }
            if (!(reply instanceof CommandReply.Refused refused)) {
                return reply;
            }
            if (refused.isFinal() || limit.isOver()) {
                throw new IOException(refused.reason());
            }
            clock.pause(this, Math.min(PAUSE_NS, limit.leftNs()));
        }
    }

    @Override
    public boolean awaitSuperpeers(long patienceNs) {
        Deadline limit = Deadline.in(clock, patienceNs);
        while (!link.refreshAtLeader(limit) || link.tables().superpeers().isChanging()) {
            if (limit.isOver()) {
                return false;
            }
            clock.pause(this, Math.min(PAUSE_NS, limit.leftNs()));
        }
        return true;
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
