package io.teff.cluster.net.agent;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The connections of an agent by NID. A connection is made on first use and stays. Thread-safe. */
final class ConnectionTable {
    private final Connection.Host host;
    private final Map<Integer, Connection> byNid = new ConcurrentHashMap<>();

    ConnectionTable(Connection.Host host) {
        this.host = host;
    }

    /** Returns the connection to a node. */
    Connection of(int nid) {
        final Connection known = byNid.get(nid);
        return known != null ? known : byNid.computeIfAbsent(nid, it -> new Connection(host, it));
    }

    /** Returns the connection to a node, or null if no connection exists. */
    @Nullable Connection known(int nid) {
        return byNid.get(nid);
    }

    Collection<Connection> all() {
        return byNid.values();
    }
}
