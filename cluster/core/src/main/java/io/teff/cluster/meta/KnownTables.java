package io.teff.cluster.meta;

import java.util.List;

/**
 * The tables of a cluster as last known to a peer: the metadata kept in the peer's folder, in case the superpeers lose
 * theirs. The kept tables lag behind the tables of the superpeers.
 *
 * @param version the highest version of a row, and of the tables as a whole
 * @param nextSession number of the next session of a client
 * @param nodes rows of all nodes
 * @param zones rows of all zones
 */
public record KnownTables(long version, int nextSession, List<NodeRow> nodes, List<ZoneRow> zones) {
    /** Copies the lists. */
    public KnownTables {
        nodes = List.copyOf(nodes);
        zones = List.copyOf(zones);
    }
}
