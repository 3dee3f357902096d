package io.teff.cluster.control;

import io.teff.cluster.admin.BackupMove;
import io.teff.cluster.admin.ClusterMoves;
import io.teff.cluster.admin.ClusterStatus;
import io.teff.cluster.admin.ClusterStatus.Member;
import io.teff.cluster.admin.MoveRefusedException;
import io.teff.cluster.admin.MoveRefusedException.Reason;
import io.teff.cluster.admin.NodeLife;
import io.teff.cluster.admin.NodeRole;
import io.teff.cluster.admin.NodeStatus;
import io.teff.cluster.admin.ZoneMove;
import io.teff.cluster.admin.ZoneStatus;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.SpreadPlan;
import io.teff.cluster.meta.UnbindNode;
import io.teff.cluster.meta.UnloadNode;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneSent;
import io.teff.cluster.meta.ZoneSpread;
import io.teff.cluster.meta.ZoneWidth;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Moves zones over a connection. Thread-safe. */
final class LinkedMoves implements ClusterMoves {
    private final CellLink link;
    private final ClusterReader reader;

    LinkedMoves(CellLink link, ClusterReader reader) {
        this.link = link;
        this.reader = reader;
    }

    // ---- unloading ----

    @Override
    public Unloading check(int nid) throws MoveRefusedException {
        final ClusterStatus status = reader.all();
        final NodeRow row = row(nid);
        if (!row.isAlive()) {
            throw new MoveRefusedException(Reason.NOT_RUNNING, row.reference() + " does not run, so it has nothing to"
                + " give away");
        }
        final Unloading work = unloading(row, status);
        if (work.isUnloaded()) {
            return work;
        }
        final NodeLife life = RowViews.life(row.reference());
        checkZones(life, status);
        checkMemory(life, status);
        return work;
    }

    /** Refuses too few peers, which stay too few, and zones that could not move at this moment. */
    private void checkZones(NodeLife life, ClusterStatus status) throws MoveRefusedException {
        final int wanted = status.zones().stream().mapToInt(zone -> zone.backups().size()).max().orElse(0);
        checkPeers(life, wanted);
        for (ZoneStatus zone : status.zones()) {
            if (zone.isOwnedBy(life) && (!zone.state().isServed() || zone.backups().isEmpty())) {
                throw new MoveRefusedException(Reason.ZONES_NOT_READY, "zone " + zone.zone() + " of " + life
                    + (zone.state().isServed() ? " has no backup" : " is not served: it is " + zone.state())
                    + ", so it cannot move now");
            }
        }
    }

    private void checkPeers(NodeLife life, int wanted) throws MoveRefusedException {
        final long rest = link.tables().nodes().stream().filter(other -> other.isAlive()
            && other.roles().takesBackups() && other.nid() != life.nid()).count();
        if (rest < wanted + 1L) {
            throw new MoveRefusedException(Reason.TOO_FEW_PEERS, "without " + life + ", " + rest + " peers take zones,"
                + " and a zone needs an owner and " + wanted + (wanted == 1 ? " backup" : " backups")
                + "; start another peer first");
        }
    }

    /** Refuses zones for which the other peers have no memory. */
    private void checkMemory(NodeLife life, ClusterStatus status) throws MoveRefusedException {
        final List<Long> rooms = new ArrayList<>();
        NodeStatus.PeerFigures own = null;
        for (Member member : status.nodes()) {
            final NodeRow row = member.role() == NodeRole.PEER ? link.tables().node(member.life().nid()) : null;
            final boolean isOwn = member.life().equals(life);
            if (row == null || !member.isAlive() || !isOwn && row.isUnloaded()) {
                continue;
            }
            final NodeStatus its = member.status();
            final NodeStatus.PeerFigures figures = its == null ? null : its.peer();
            if (figures == null) {
                throw new MoveRefusedException(Reason.NO_STATUS, member.life() + " gives no status, so its free memory"
                    + " is unknown");
            }
            if (isOwn) {
                own = figures;
            } else {
                rooms.add(figures.room().forZonesBytes());
            }
        }
        if (own != null) {
            final long missing = ZoneRoom.missingBytes(own, rooms);
            if (missing > 0) {
                throw new MoveRefusedException(Reason.TOO_LITTLE_MEMORY, "the other peers lack "
                    + ZoneRoom.text(missing) + " of memory for the zones of " + life
                    + "; add a peer, or raise peer.memory");
            }
        }
    }

    @Override
    public Unloading unload(int nid, long patienceNs) throws MoveRefusedException {
        final Unloading work = check(nid);
        final CommandReply reply = send(new UnloadNode(RowViews.node(work.node()), true), patienceNs);
        if (reply instanceof CommandReply.Refused refused) {
            throw new MoveRefusedException(Reason.TOO_FEW_PEERS, work.node() + " is not unloaded: " + refused.reason());
        }
        return work;
    }

    @Override
    public void reload(int nid, long patienceNs) throws MoveRefusedException {
        refreshed();
        final NodeRow row = row(nid);
        if (!row.isAlive()) {
            throw new MoveRefusedException(Reason.NOT_RUNNING, row.reference() + " does not run; its next life takes"
                + " zones");
        }
        var _ = send(new UnloadNode(row.reference(), false), patienceNs);
    }

    @Override
    public Unloading progress(int nid) throws MoveRefusedException {
        final ClusterStatus tables = refreshed();
        return unloading(row(nid), tables);
    }

    private static Unloading unloading(NodeRow row, ClusterStatus status) {
        final NodeLife life = RowViews.life(row.reference());
        int zones = 0;
        int copies = 0;
        for (ZoneStatus zone : status.zones()) {
            zones += zone.isOwnedBy(life) ? 1 : 0;
            copies += zone.hasBackup(life) ? 1 : 0;
        }
        final Member member = status.node(row.nid());
        final NodeStatus its = member == null ? null : member.status();
        final NodeStatus.PeerFigures figures = its == null ? null : its.peer();
        return new Unloading(life, zones, figures == null ? 0 : figures.chunkBytes(), copies, row.isUnloaded(),
            row.isAlive());
    }

    // ---- balance ----

    @Override
    public List<ZoneMove> plan(ClusterStatus before, ClusterStatus after, long elapsedNs) {
        return new ZoneBalance(before, after, elapsedNs, this::takesZones).plan();
    }

    private boolean takesZones(NodeLife life) {
        final NodeRow row = link.tables().node(life.nid());
        return row != null && row.roles().ownsZones();
    }

    @Override
    public void move(ZoneMove move, long patienceNs) throws MoveRefusedException {
        final CommandReply reply = send(new ZoneSent(move.zone(), move.epoch(), RowViews.node(move.to())), patienceNs);
        if (reply instanceof CommandReply.Refused refused) {
            throw new MoveRefusedException(Reason.ZONES_NOT_READY, refused.reason());
        }
    }

    // ---- backups ----

    @Override
    public int scatterWidth() {
        return link.tables().scatterWidth();
    }

    @Override
    public void setScatterWidth(int width, long patienceNs) throws MoveRefusedException {
        final CommandReply reply = send(new ZoneWidth(width), patienceNs);
        if (reply instanceof CommandReply.Refused refused) {
            throw new IllegalArgumentException(refused.reason());
        }
        refreshed();
    }

    @Override
    public List<BackupMove> spread(int width) throws MoveRefusedException {
        refreshed();
        final List<BackupMove> moves = new ArrayList<>();
        final List<NodeRow> nodes = new ArrayList<>(link.tables().nodes());
        nodes.sort(Comparator.comparingInt(NodeRow::nid));
        for (SpreadPlan.Move move : SpreadPlan.of(nodes, link.tables().zones(), link.tables().backups(), width)) {
            moves.add(new BackupMove(move.zone(), life(move.to()), life(move.from())));
        }
        return moves;
    }

    private static @Nullable NodeLife life(@Nullable NodeRef node) {
        return node == null ? null : RowViews.life(node);
    }

    @Override
    public Progress step(BackupMove move, long patienceNs) throws MoveRefusedException {
        refreshed();
        final ZoneRow row = link.tables().zone(move.zone());
        if (row == null || !row.state().isServed()) {
            throw new MoveRefusedException(Reason.CHANGED, "zone " + move.zone() + " is not served now");
        }
        final NodeRef to = move.to() == null ? null : RowViews.node(move.to());
        final NodeRef from = move.from() == null ? null : RowViews.node(move.from());
        if (to != null && !row.hasBackup(to)) {
            if (row.receiver(to) == null) {
                change(new ZoneSpread(row.zone(), row.epoch(), to, true), patienceNs);
            }
            return Progress.COPYING;
        }
        if (from != null && row.hasBackup(from)) {
            change(new ZoneSpread(row.zone(), row.epoch(), from, false), patienceNs);
        }
        return Progress.DONE;
    }

    private void change(ZoneSpread order, long patienceNs) throws MoveRefusedException {
        final CommandReply reply = send(order, patienceNs);
        if (reply instanceof CommandReply.Refused refused) {
            throw new MoveRefusedException(Reason.ZONES_NOT_READY, refused.reason());
        }
    }

    // ---- peers that are gone for good ----

    @Override
    public void forget(int nid, long patienceNs) throws MoveRefusedException {
        refreshed();
        final NodeRow row = row(nid);
        final NodeRef last = row.reference();
        if (row.isAlive()) {
            throw new MoveRefusedException(Reason.STILL_RUNNING, last + " runs, or its lease has not run out");
        }
        final CommandReply reply = send(new UnbindNode(last), patienceNs);
        if (reply instanceof CommandReply.Refused refused) {
            throw new MoveRefusedException(Reason.COPY_NEEDED, last + " is not forgotten: " + refused.reason());
        }
    }

    // ---- tables and commands ----

    private ClusterStatus refreshed() throws MoveRefusedException {
        final ClusterStatus tables = reader.tables();
        if (!tables.isAnswering()) {
            throw new MoveRefusedException(Reason.UNANSWERED, "no superpeer answers: " + tables.problem());
        }
        return tables;
    }

    private NodeRow row(int nid) throws MoveRefusedException {
        final NodeRow row = link.tables().node(nid);
        if (row == null || row.isClient() || row.isForgotten()) {
            throw new MoveRefusedException(Reason.NO_SUCH_PEER, "there is no peer " + nid);
        }
        return row;
    }

    private CommandReply send(Command command, long patienceNs) throws MoveRefusedException {
        final CommandReply reply = link.send(command, patienceNs);
        if (reply == null) {
            throw new MoveRefusedException(Reason.UNANSWERED, "no superpeer leads");
        }
        if (reply instanceof CommandReply.Stale) {
            throw new MoveRefusedException(Reason.CHANGED, "the cluster has changed meanwhile; look at it: ./teff"
                + " cluster status");
        }
        return reply;
    }
}
