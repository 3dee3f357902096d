package io.teff.cluster.cell;

import io.teff.cluster.message.TableAnswer;
import io.teff.cluster.meta.NodeRef;
import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Sessions;
import io.teff.cluster.meta.SuperpeerSet;
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
    private volatile SuperpeerSet superpeers;
    private volatile long version;
    private volatile int backups;
    private volatile int scatterWidth;

    /** Makes empty tables without superpeers. */
    public Tables() {
        this(SuperpeerSet.NONE);
    }

    /**
     * Makes empty tables.
     *
     * @param known the superpeers as known before the first answer
     */
    public Tables(SuperpeerSet known) {
        superpeers = known;
    }

    /**
     * The sessions of clients, in a form for a fast look: a session has ended if its number is below the next number
     * and not open.
     */
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

    /** {@return the wanted number of backups of a zone; 0 before the first answer} */
    public int backups() {
        return backups;
    }

    /** {@return with how many peers a peer shares zones, about; 0 for all peers} */
    public int scatterWidth() {
        return scatterWidth;
    }

    /** {@return the superpeers of the cluster} */
    public SuperpeerSet superpeers() {
        return superpeers;
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
     * @param session number of the session, from 1; a session opened later than these tables has not ended
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
     * @param answer rows since the version of this copy at the time of the question, or since an earlier version
     * @return the rows of zones new to this copy
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
            // After the rows: a reader that sees the end of a session also sees the rows of this moment, or newer rows.
            sessions = new KnownSessions(next.version(), next.next(),
                next.open().stream().mapToInt(Integer::intValue).toArray());
        }
        final SuperpeerSet set = answer.superpeers();
        if (set != null && set.version() > superpeers.version()) {
            superpeers = set;
        }
        if (answer.version() >= version) {
            version = answer.version();
            backups = answer.backups();
            scatterWidth = answer.scatterWidth();
        }
        return changed;
    }

    /**
     * Takes over superpeers that were found in another way.
     *
     * @param found replaces older superpeers
     */
    public synchronized void know(SuperpeerSet found) {
        superpeers = found.version() > superpeers.version() ? found : superpeers;
    }

    /**
     * Takes a single row over, for example from an answer of an owner.
     *
     * @param row current or older configuration of a zone
     * @return whether the row is newer than the row in this copy
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
