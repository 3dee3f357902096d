package io.teff.cluster.meta;

import io.teff.cluster.net.identity.ClusterId;
import java.util.List;
import java.util.Objects;

/**
 * Tables made by a {@link Rebuild}, or a part of such tables.
 *
 * @param cluster the identity of the cluster; unknown if no folder has it
 * @param version version of the tables; each row has this version
 * @param nextZone the next zone to give
 * @param nextNid the first NID never given to a peer
 * @param lastSession the highest number possibly given to a client session
 * @param nodes rows of nodes. No node of the rows lives
 * @param zones rows of zones. Each zone waits or is lost
 */
public record RebuiltTables(ClusterId cluster, long version, int nextZone, int nextNid, int lastSession,
                            List<NodeRow> nodes, List<ZoneRow> zones) {
    /** Copies the lists. */
    public RebuiltTables {
        cluster = Objects.requireNonNullElse(cluster, ClusterId.NONE);  // in tables of earlier versions
        nodes = List.copyOf(nodes);
        zones = List.copyOf(zones);
    }
}
