package io.teff.cluster.cell;

import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Sessions;
import io.teff.cluster.meta.ZoneRow;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * A node's copy of the cluster's tables. Rows are replaced by newer versions only, so answers may arrive in any order.
 * Reading a row needs no lock. Thread-safe.
 */
public final class Tables {
    private final Map<Integer, NodeRow> nodes = new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable ZoneRow> zones = new AtomicReferenceArray<>(ZoneRow.ZONE_MAX + 1);
    private volatile int zonesEnd;
    private volatile KnownSessions sessions = new KnownSessions(0, 1, new int[0]);
    private volatile long version;

    /** The sessions of clients, in a form for a fast look: a session that is neither open nor to come has ended. */
    private static final class KnownSessions {
        private final long version;
        private final int next;
        private final int[] open;

        KnownSessions(long version, int next, int[] open) {
            this.version = version;
            this.next = next;
            this.open = open;
        }

        boolean hasEnded(int session) {
            return session < next && Arrays.binarySearch(open, session) < 0;
        }
    }

    /** {@return the version of the tables that this copy has as a whole} */
    public long version() {
        return version;
    }

    /**
     * {@return the row of a zone, or null}
     *
     * @param zone the zone; any number
     */
    public @Nullable ZoneRow zone(int zone) {
        return zone < 0 || zone > ZoneRow.ZONE_MAX ? null : zones.get(zone);
    }

    /**
     * {@return the row of a node, or null}
     *
     * @param nid the node
     */
    public @Nullable NodeRow node(int nid) {
        return nodes.get(nid);
    }

    /** {@return all rows of nodes, in no order} */
    public List<NodeRow> nodes() {
        return new ArrayList<>(nodes.values());
    }

    /** {@return all rows of zones, in their order} */
    public List<ZoneRow> zones() {
        List<ZoneRow> all = new ArrayList<>();
        for (int zone = 0; zone < zonesEnd; zone++) {
            ZoneRow row = zones.get(zone);
            if (row != null) {
                all.add(row);
            }
        }
        return all;
    }

    /**
     * {@return whether the life of a node counts, as far as is known}
     *
     * @param node the life
     */
    public boolean isAlive(NodeRef node) {
        NodeRow row = nodes.get(node.nid());
        return row != null && row.isAlive() && row.incarnation() == node.incarnation();
    }

    /**
     * {@return whether a session of a client has ended}
     *
     * @param session number of the session, from 1; one that was opened later than these tables has not ended
     */
    public boolean hasEnded(int session) {
        return sessions.hasEnded(session);
    }

    /** {@return the number of the next session of a client, as far as is known} */
    public int nextSession() {
        return sessions.next;
    }

    /**
     * Takes rows over.
     *
     * @param answer rows since the version that this copy had when it asked, or since an earlier one
     * @return the rows of zones that are new to this copy
     */
    public synchronized List<ZoneRow> update(TableAnswer answer) {
        for (NodeRow row : answer.nodes()) {
            nodes.merge(row.nid(), row, (old, next) -> next.version() > old.version() ? next : old);
        }
        List<ZoneRow> changed = new ArrayList<>();
        for (ZoneRow row : answer.zones()) {
            if (update(row)) {
                changed.add(row);
            }
        }
        final Sessions next = answer.sessions();
        if (next != null && next.version() > sessions.version) {
            // After the rows: whoever sees that a session has ended sees the rows of that moment, or newer ones.
            sessions = new KnownSessions(next.version(), next.next(),
                next.open().stream().mapToInt(Integer::intValue).toArray());
        }
        version = Math.max(version, answer.version());
        return changed;
    }

    /**
     * Takes one row over, for example that of an answer of an owner.
     *
     * @param row the row
     * @return whether it is newer than the one in this copy
     */
    public synchronized boolean update(ZoneRow row) {
        ZoneRow old = zones.get(row.zone());
        if (old != null && old.version() >= row.version()) {
            return false;
        }
        zones.set(row.zone(), row);
        zonesEnd = Math.max(zonesEnd, row.zone() + 1);
        return true;
    }
}
