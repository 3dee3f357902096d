/**
 * The command {@code cluster status}: nodes, leases, zones and memory of a cluster, for people and as JSON.
 *
 * <p><b>Promise.</b> Everything shown about a node was reported by this node, or by the superpeers, within the last
 * seconds. Unreported values are shown as missing.
 */
@NullMarked
package io.teff.cluster.terminal.status;

import org.jspecify.annotations.NullMarked;
