package io.teff.cluster.message;

import io.teff.cluster.meta.NodeRow;
import io.teff.cluster.meta.ZoneRow;
import java.util.List;

/**
 * Rows that have changed.
 *
 * @param version version of the tables; lower than the asked one if this superpeer lags behind, and then there are no
 *     rows
 * @param nodes rows of nodes
 * @param zones rows of zones
 */
public record TableAnswer(long version, List<NodeRow> nodes, List<ZoneRow> zones) {}
