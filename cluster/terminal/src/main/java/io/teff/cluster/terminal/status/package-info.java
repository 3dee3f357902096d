/**
 * The command {@code cluster status}: nodes, leases, zones and memory of a cluster, for people and as JSON.
 *
 * <p><b>Promise.</b> Everything shown was said by the node that it is about, or by the superpeers, within the last
 * seconds; what was not said is shown as missing.
 */
@NullMarked
package io.teff.cluster.terminal.status;

import org.jspecify.annotations.NullMarked;
