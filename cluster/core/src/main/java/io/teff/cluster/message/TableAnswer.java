package io.teff.cluster.message;

import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.Sessions;
import io.teff.cluster.meta.SuperpeerSet;
import io.teff.cluster.meta.ZoneRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changed rows.
 *
 * @param version version of the tables; if this superpeer lags behind, lower than the version in the question, and no
 *     rows follow
 * @param nodes rows of nodes
 * @param zones rows of zones
 * @param sessions the sessions of clients; null if no session was opened or ended since
 * @param superpeers the superpeers; null without a change since
 * @param backups wanted backups of each zone
 * @param scatterWidth with how many peers a peer shares zones, about; 0 for all peers
 */
public record TableAnswer(long version, List<NodeRow> nodes, List<ZoneRow> zones, @Nullable Sessions sessions,
                          @Nullable SuperpeerSet superpeers, int backups, int scatterWidth) {}
