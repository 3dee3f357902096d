package io.teff.cluster.meta;

import java.util.List;

/**
 * The tables of a cluster as a peer has known them: what its folder keeps of the metadata, for the case that the
 * superpeers lose theirs. They lag behind those of the superpeers.
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
