package io.teff.cluster.meta;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Rules for the orders of persons: unloading of peers, moves of zones, and peers that are gone for good. Pure: an order
 * has a reply and changed rows as its effect.
 *
 * <p><b>Unloading.</b> An unloaded peer has the roles of no node: the peer gets no new zones, is no new backup and
 * takes no zones. All further work follows from the rows. The zones of the peer are claimed at once by peers with any
 * number of zones. Owners ask for a backup in place of the unloaded peer, and the copy of the unloaded peer counts
 * until the new backup has everything. So no zone has fewer whole copies than before at any moment.
 */
final class OperatorOrders {
    private final Map<Integer, NodeRow> nodes;
    private final Map<Integer, ZoneRow> zones;
    private final int backups;

    /**
     * The effect of an order.
     *
     * @param reply to the sender
     * @param node the changed row of a node, or null
     * @param zones the changed rows of zones
     */
    record Effect(CommandReply reply, @Nullable NodeRow node, List<ZoneRow> zones) {
        /** Returns whether a row changes. */
        boolean isChange() {
            return node != null || !zones.isEmpty();
        }
    }

    /**
     * Begins with tables.
     *
     * @param nodes rows of the nodes by NID
     * @param zones rows of the zones by id
     * @param backups wanted number of backups of a zone
     */
    OperatorOrders(Map<Integer, NodeRow> nodes, Map<Integer, ZoneRow> zones, int backups) {
        this.nodes = nodes;
        this.zones = zones;
        this.backups = backups;
    }

    /**
     * Returns the effect of an order.
     *
     * @param order of a person
     * @param at version of the tables with the effect
     */
    Effect effect(Command.OfOperators order, long at) {
        return switch (order) {
            case UnloadNode unload -> unload(unload, at);
            case UnbindNode unbind -> unbind(unbind.node(), at);
            case ZoneSent sent -> send(sent, at);
            case ZoneSpread spread -> spread(spread, at);
        };
    }

    private static Effect only(CommandReply reply) {
        return new Effect(reply, null, List.of());
    }

    private static Effect refused(String why) {
        return only(new CommandReply.Refused(why, true));
    }

    // ---- unloading ----

    private Effect unload(UnloadNode order, long at) {
        final NodeRow row = nodes.get(order.node().nid());
        if (row == null || row.isClient() || !row.lives(order.node())) {
            return only(new CommandReply.Stale());
        }
        if (row.isUnloaded() == order.isUnloaded()) {
            return only(new CommandReply.Done());
        }
        if (!order.isUnloaded()) {
            return new Effect(new CommandReply.Done(), row.with(Roles.PEER, at), List.of());
        }
        final long rest = nodes.values().stream().filter(other -> other.isAlive() && other.roles().takesBackups()
            && other.nid() != row.nid()).count();
        if (rest < backups + 1L) {
            return refused("a zone needs an owner and " + backups + " backups, and " + rest
                + " other peers take zones");
        }
        final List<ZoneRow> changed = new ArrayList<>();
        for (ZoneRow zone : zones.values()) {
            final ZoneRow next = withoutNewcomer(zone, order.node(), at);
            if (!next.equals(zone)) {
                changed.add(next);
            }
        }
        return new Effect(new CommandReply.Done(), row.with(Roles.NONE, at), changed);
    }

    /** Returns the row without a node that was about to become the backup or the owner. */
    private static ZoneRow withoutNewcomer(ZoneRow row, NodeRef node, long at) {
        final boolean isLearner = row.learners().stream().anyMatch(learner -> learner.node().equals(node));
        if (!row.state().isServed() || row.isLast() || !isLearner && !node.equals(row.heir())) {
            return row;
        }
        final RowDraft draft = new RowDraft(row, at).next();
        draft.learners = ZoneRow.others(row.learners(), node);
        draft.heir = node.equals(row.heir()) ? null : row.heir();
        return draft.row();
    }

    /** Returns how many of some copies are at nodes that take backups. */
    static long taking(List<Backup> copies, Map<Integer, NodeRow> nodes) {
        return copies.stream().filter(copy -> takes(copy, nodes)).count();
    }

    private static boolean takes(Backup copy, Map<Integer, NodeRow> nodes) {
        final NodeRow row = nodes.get(copy.node().nid());
        return row != null && row.lives(copy.node()) && row.roles().takesBackups();
    }

    /**
     * Returns the row without backups at unloaded peers, if it has the wanted backups without them. The row begins a
     * new configuration already.
     */
    ZoneRow relieved(ZoneRow row, long at) {
        if (taking(row.backups(), nodes) < Math.max(1, backups)) {
            return row;
        }
        final RowDraft draft = new RowDraft(row, at);
        draft.backups = row.backups().stream().filter(copy -> takes(copy, nodes)).toList();
        return draft.row();
    }

    // ---- moves ----

    private Effect send(ZoneSent order, long at) {
        final ZoneRow row = zones.get(order.zone());
        final NodeRow node = nodes.get(order.node().nid());
        if (row == null || row.epoch() != order.epoch() || node == null || !node.lives(order.node())
            || !row.state().isServed()) {
            return only(new CommandReply.Stale());
        }
        if (order.node().equals(row.heir())) {
            return only(new CommandReply.Done());
        }
        if (!node.roles().ownsZones() || !Moves.isMovable(row, order.node())) {
            return only(new CommandReply.Refused("zone " + row.zone() + " does not move to " + order.node() + ": "
                + (node.roles().ownsZones() ? "the zone is not free to move" : "the node takes no zones"), false));
        }
        return new Effect(new CommandReply.Done(), null, List.of(row.claimed(order.node(), at)));
    }

    /** A zone gets a further backup, or gives up a backup beyond the wanted number. */
    private Effect spread(ZoneSpread order, long at) {
        final ZoneRow row = zones.get(order.zone());
        final NodeRow node = nodes.get(order.node().nid());
        if (row == null || row.epoch() != order.epoch() || !row.state().isServed() || node == null
            || order.isAdded() && !node.lives(order.node()) || !order.isAdded() && !row.hasBackup(order.node())) {
            return only(new CommandReply.Stale());
        }
        final Backup learner = row.receiver(order.node());
        if (order.isAdded() && learner != null) {
            return only(new CommandReply.Done());
        }
        if (!row.learners().isEmpty() || row.heir() != null || row.isNearItsEnd() || row.isOwnedBy(order.node())
            || order.isAdded() && !node.roles().takesBackups()) {
            return only(new CommandReply.Refused("the backups of zone " + row.zone() + " cannot change now", false));
        }
        if (order.isAdded()) {
            return new Effect(new CommandReply.Done(), null, List.of(row.learning(order.node(), at)));
        }
        final RowDraft draft = new RowDraft(row, at).next();
        draft.backups = ZoneRow.others(row.backups(), order.node());
        return taking(draft.backups, nodes) < Math.max(1, backups)
            ? only(new CommandReply.Refused("zone " + row.zone() + " has no backup beyond the wanted number", false))
            : new Effect(new CommandReply.Done(), null, List.of(draft.row()));
    }

    // ---- peers that are gone for good ----

    private Effect unbind(NodeRef node, long at) {
        final NodeRow row = nodes.get(node.nid());
        if (row == null || row.isClient() || row.incarnation() != node.incarnation()) {
            return only(new CommandReply.Stale());
        }
        if (row.isForgotten()) {
            return only(new CommandReply.Done());
        }
        if (row.isAlive()) {
            return refused(node + " runs, or its lease has not run out");
        }
        final List<ZoneRow> changed = new ArrayList<>();
        for (ZoneRow zone : zones.values()) {
            if (needs(zone, node.nid())) {
                return refused("zone " + zone.zone() + " needs the copy of node " + node.nid());
            }
            if (has(zone.outdated(), node.nid())) {
                final RowDraft draft = new RowDraft(zone, at);
                draft.outdated = zone.outdated().stream().filter(copy -> copy.node().nid() != node.nid()).toList();
                changed.add(draft.row());
            }
        }
        return new Effect(new CommandReply.Done(), row.boundTo(new UUID(NodeRow.FORGOTTEN, row.nid()), at), changed);
    }

    /** Returns whether a zone could need any copy of a node. */
    private static boolean needs(ZoneRow row, int nid) {
        return has(row.kept(), nid) || has(row.backups(), nid) || has(row.spares(), nid)
            || !row.state().isServed() && has(row.outdated(), nid);
    }

    private static boolean has(List<Backup> copies, int nid) {
        return copies.stream().anyMatch(copy -> copy.node().nid() == nid);
    }

    /** Returns the lowest NID that belongs to no folder any more, or -1. */
    static int freeNid(Collection<NodeRow> rows) {
        return rows.stream().filter(row -> !row.isClient() && row.isForgotten()).mapToInt(NodeRow::nid).min()
            .orElse(-1);
    }
}
