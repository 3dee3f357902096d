package io.teff.cluster.peer;

import io.teff.cluster.cell.Tables;
import io.teff.cluster.meta.Command;
import io.teff.cluster.meta.CommandReply;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import io.teff.cluster.meta.ZoneState;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a peer asks for zones. A peer wants enough open zones that all other peers share the recovery of the
 * peer, or as many peers as the scatter width. The peer waits until the set of peers rests, because the backups of a
 * zone are chosen from the living peers. Pure: the caller passes the time. Not thread-safe.
 *
 * <p><b>Bound.</b> A peer asks only if the cluster has fewer open zones than all peers want together. The zones of a
 * dead peer are open elsewhere, and come to the next life of the peer by {@linkplain ZoneClaims claims}. So restarts
 * add no zones. With only two peers zones do not move, and twice as many zones may be open.
 */
final class ZoneDemand {
    /** How much longer than usual a peer waits with fewer peers than wanted backups. */
    private static final int PATIENCE = 5;
    private static final int ZONES_PER_PEER = 2;
    /** How long a peer waits after a refusal of the cell. */
    private static final long REFUSED_NS = TimeUnit.SECONDS.toNanos(30);
    /** With fewer other peers zones do not move: a moved zone would have no backup. */
    private static final int OTHERS_OF_MOVES = 2;

    private final NodeRef self;
    private final int zonesMin;
    private final int backups;
    private final long settleNs;
    private Set<NodeRef> peers = Set.of();
    private long sinceNs;
    private long request = 1;
    private int lastGiven;
    private boolean isPausing;
    private long pausedNs;
    private @Nullable String problem;

    ZoneDemand(NodeRef self, int zonesMin, int backups, long settleNs, long nowNs) {
        this.self = self;
        this.zonesMin = zonesMin;
        this.backups = backups;
        this.settleNs = settleNs;
        sinceNs = nowNs;
    }

    /**
     * Returns the request to be sent now, or null. The same request is returned until there is a reply. The rows may be
     * older than the tables, because the tables change meanwhile.
     */
    Command.@Nullable NewZones due(Tables tables, Iterable<ZoneRow> rows, long nowNs) {
        final Set<NodeRef> others = new TreeSet<>();
        int owners = 1;
        for (NodeRow row : tables.nodes()) {
            if (row.isAlive() && row.roles().takesBackups() && row.nid() != self.nid()) {
                others.add(row.reference());
            }
            owners += row.isAlive() && row.roles().ownsZones() && row.nid() != self.nid() ? 1 : 0;
        }
        if (!others.equals(peers)) {
            peers = others;
            sinceNs = nowNs;
        }
        final NodeRow here = tables.node(self.nid());
        if (here != null && here.isUnloaded()) {
            problem = null;
            return null;                                        // other peers take zones
        }
        isPausing &= nowNs - pausedNs < REFUSED_NS;
        if (isPausing) {
            return null;
        }
        final long wait = others.size() >= backups ? settleNs : PATIENCE * settleNs;
        if (nowNs - sinceNs < wait) {
            return null;
        }
        int open = 0;
        int own = 0;
        boolean haveLast = lastGiven == 0;
        for (ZoneRow row : rows) {
            haveLast |= row.zone() == lastGiven;
            open += !row.isFull() && row.state() != ZoneState.LOST ? 1 : 0;
            own += row.isOwnedBy(self) && row.state() == ZoneState.OPEN ? 1 : 0;
        }
        if (!haveLast) {
            return null;                                        // the rows are of before the last reply
        }
        final int width = tables.scatterWidth() > 0 ? Math.min(tables.scatterWidth(), others.size()) : others.size();
        final int each = Math.max(zonesMin, ZONES_PER_PEER * width);
        final int openMax = each * owners * (others.size() < OTHERS_OF_MOVES ? 2 : 1);
        final int wanted = Math.min(each - own, openMax - open);
        problem = wanted > 0 ? problem : null;
        return wanted > 0 ? new Command.NewZones(self, request, wanted) : null;
    }

    /** Takes the reply to a request. After a refusal nothing is due for a while. */
    void replied(Command.NewZones to, CommandReply reply, long nowNs) {
        if (to.request() != request) {
            return;
        }
        if (reply instanceof CommandReply.Refused refused) {
            isPausing = true;
            pausedNs = nowNs;
            problem = "this peer gets no new zones: " + refused.reason();
            return;
        }
        request++;
        problem = null;
        lastGiven = reply instanceof CommandReply.Zones zones && zones.count() > 0 ? zones.first() + zones.count() - 1
            : lastGiven;
    }

    /** Returns whether no other peer takes backups, as far as the last look at the tables has found. */
    boolean isAlone() {
        return peers.isEmpty();
    }

    /** Returns why the last request was refused, or null. */
    @Nullable String problem() {
        return problem;
    }
}
