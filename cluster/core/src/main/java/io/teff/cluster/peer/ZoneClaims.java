package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.Moves;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a peer claims a zone of a second peer: if the second peer owns at least two more zones of the kind, no
 * zone is being recovered, the set of peers has not changed for a while, and all zones have their backups. Pure: the
 * caller passes the time. Not thread-safe.
 *
 * <p><b>Rate.</b> A peer claims a single zone at a time. The next claim follows when the peer serves the zone, and
 * everything rests again.
 *
 * <p><b>Unloaded peers.</b> Zones of a peer that is being unloaded are claimed first, whatever the numbers of zones
 * are. The peer with the fewest zones claims at once. Each zone more means a longer wait, so that the zones are spread,
 * and a peer without room keeps no zone waiting. An unloaded peer claims nothing.
 *
 * <p><b>Places.</b> A peer claims no zone if more copies of the zone would share a rack afterwards, unless an unloaded
 * peer has the zone. In a cluster with more peers than the scatter width, the peer prefers zones whose nodes are a
 * copyset of other zones afterwards.
 *
 * <p><b>Failures.</b> A claim may come to nothing, for example because this node's disk or memory turn out to be full.
 * Each claim costs the zone something, so the next claim waits, twice as long each time. A peer without room for two
 * zones claims nothing.
 */
final class ZoneClaims {
    private static final long PAUSE_NS_MAX = TimeUnit.MINUTES.toNanos(5);
    /** The longest wait for zones without all their backups. */
    private static final long BACKED_NS_MAX = TimeUnit.SECONDS.toNanos(30);
    /** A peer with more zones than others waits at most so many times longer for zones of unloaded peers. */
    private static final int PATIENCE_MAX = 5;
    /** Spreads the claims of several peers over the zones of an owner. */
    private static final int MIX = 0x9E37_79B1;

    /** Ranks of zones: above the rank of a zone with a backup here. */
    private static final long NEW_COPYSET = 1L << 33;
    private static final long CROWDED = 1L << 34;

    private final NodeRef self;
    private final int backups;
    private final long settleNs;
    private CopyPlaces places;
    private Set<NodeRef> peers = Set.of();
    private long calmSinceNs;
    private long pauseNs;
    private long nextNs;
    /** The zone claimed last, until this node owns the zone; 0 for no zone. */
    private int claimed;

    /**
     * Begins without a claim.
     *
     * @param self this life of the node
     * @param backups wanted number of backups of a zone
     * @param settleNs how long everything must rest, and the least time between two claims
     * @param nowNs the time
     */
    ZoneClaims(NodeRef self, int backups, long settleNs, long nowNs) {
        this.self = self;
        this.backups = backups;
        this.settleNs = settleNs;
        calmSinceNs = nowNs;
        pauseNs = settleNs;
        nextNs = nowNs;
        places = new CopyPlaces(self, new Tables(), List.of());
    }

    /**
     * Returns the claim to be sent now, or null.
     *
     * @param tables the node's tables
     * @param hasRoom whether this node has memory for two zones
     * @param nowNs the time
     */
    Command.@Nullable ClaimZone due(Tables tables, BooleanSupplier hasRoom, long nowNs) {
        final Set<NodeRef> others = others(tables);
        final List<ZoneRow> rows = tables.zones();
        boolean isBacked = true;
        boolean isCalm = others.equals(peers);
        boolean isUnderWay = false;
        for (ZoneRow row : rows) {
            isCalm &= row.state().isServed() || row.state() == ZoneState.LOST || row.obstacle() != null;
            isBacked &= !row.state().isServed() || isBacked(row, others);
            isUnderWay |= self.equals(row.heir());
            if (row.zone() == claimed && row.isOwnedBy(self) && row.state().isServed()) {
                claimed = 0;
                pauseNs = settleNs;
            }
        }
        peers = others;
        calmSinceNs = isCalm ? calmSinceNs : nowNs;
        final long calmNs = nowNs - calmSinceNs;
        if (isUnderWay || calmNs < settleNs || nowNs - nextNs < 0 || !isBacked && calmNs < BACKED_NS_MAX) {
            return null;
        }
        final NodeRow own = tables.node(self.nid());
        if (own != null && own.isUnloaded()) {
            return null;
        }
        places = new CopyPlaces(self, tables, rows);
        final ZoneRow left = ofUnloaded(tables, rows, others);
        if (left != null && calmNs < settleNs * patience(rows, others)) {
            return null;
        }
        final ZoneRow next = left != null ? left : choose(rows, others, false);
        final ZoneRow chosen = next != null ? next : choose(rows, others, true);
        if (chosen == null || !hasRoom.getAsBoolean()) {
            return null;
        }
        pauseNs = claimed == 0 ? pauseNs : Math.min(2 * pauseNs, PAUSE_NS_MAX);
        nextNs = nowNs + pauseNs;
        claimed = chosen.zone();
        return new Command.ClaimZone(chosen.zone(), chosen.epoch(), self);
    }

    private Set<NodeRef> others(Tables tables) {
        final Set<NodeRef> others = new TreeSet<>();
        for (NodeRow row : tables.nodes()) {
            if (row.isAlive() && row.roles().takesBackups() && row.nid() != self.nid()) {
                others.add(row.reference());
            }
        }
        return others;
    }

    /** Returns whether a served zone has as many backups as wanted and possible. */
    private boolean isBacked(ZoneRow row, Set<NodeRef> others) {
        return row.backups().size() >= Math.min(backups, others.size());
    }

    /** Returns a zone of a peer that is being unloaded, or null. */
    private @Nullable ZoneRow ofUnloaded(Tables tables, List<ZoneRow> rows, Set<NodeRef> others) {
        for (NodeRow node : tables.nodes()) {
            if (node.isUnloaded()) {
                final ZoneRow open = best(rows, node.reference(), false, others, true);
                final ZoneRow found = open != null ? open : best(rows, node.reference(), true, others, true);
                if (found != null) {
                    return found;
                }
            }
        }
        return null;
    }

    /** Returns how many times the usual wait this peer waits for a zone of an unloaded peer. */
    private int patience(List<ZoneRow> rows, Set<NodeRef> others) {
        final int own = Moves.owned(self, rows);
        final int least = others.stream().mapToInt(other -> Moves.owned(other, rows)).min().orElse(own);
        return 1 + Math.clamp((long) own - least, 0, PATIENCE_MAX);
    }

    /** Returns a zone of a kind, of the owner with the most zones of the kind; a zone without a backup here first. */
    private @Nullable ZoneRow choose(List<ZoneRow> rows, Set<NodeRef> others, boolean isFull) {
        final int own = Moves.owned(self, isFull, rows);
        ZoneRow best = null;
        int most = own + Moves.DIFFERENCE_MIN;
        for (NodeRef other : others) {
            final int count = Moves.owned(other, isFull, rows);
            if (count < most || count == most && best != null) {
                continue;
            }
            final ZoneRow found = best(rows, other, isFull, others, false);
            if (found != null) {
                best = found;
                most = count;
            }
        }
        return best;
    }

    private @Nullable ZoneRow best(List<ZoneRow> rows, NodeRef owner, boolean isFull, Set<NodeRef> others,
                                   boolean isForced) {
        ZoneRow best = null;
        for (ZoneRow row : rows) {
            if (row.isFull() == isFull && row.isOwnedBy(owner) && Moves.isMovable(row, self) && isBacked(row, others)
                && (isForced || !places.crowds(row)) && (best == null || rank(row) < rank(best))) {
                best = row;
            }
        }
        return best;
    }

    /** Returns the lower number for the zone to be claimed first. */
    private long rank(ZoneRow row) {
        return (places.crowds(row) ? CROWDED : 0) + (places.isKnown(row) ? 0 : NEW_COPYSET)
            + (row.hasBackup(self) ? 1L << Integer.SIZE : 0) + Integer.toUnsignedLong((row.zone() ^ self.nid()) * MIX);
    }
}
