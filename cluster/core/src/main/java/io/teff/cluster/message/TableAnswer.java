package io.teff.cluster.message;

import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Sessions;
import io.teff.cluster.meta.ZoneRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows that have changed.
 *
 * @param version version of the tables; lower than the asked one if this superpeer lags behind, and then there are no
 *     rows
 * @param nodes rows of nodes
 * @param zones rows of zones
 * @param sessions the sessions of clients; null if none was opened or has ended
 */
public record TableAnswer(long version, List<NodeRow> nodes, List<ZoneRow> zones, @Nullable Sessions sessions) {}
