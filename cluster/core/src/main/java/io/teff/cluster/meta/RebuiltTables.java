package io.teff.cluster.meta;

import java.util.List;

/**
 * Tables that a {@link Rebuild} has made, or a part of them.
 *
 * @param version version of the tables; that of each row
 * @param nextZone the next zone to give
 * @param nextNid the first NID of a peer that was never given
 * @param lastSession the highest number that a session of a client can have had
 * @param nodes rows of nodes, none of which lives
 * @param zones rows of zones, each of which waits or is lost
 */
public record RebuiltTables(long version, int nextZone, int nextNid, int lastSession, List<NodeRow> nodes,
                            List<ZoneRow> zones) {
    /** Copies the lists. */
    public RebuiltTables {
        nodes = List.copyOf(nodes);
        zones = List.copyOf(zones);
    }
}
