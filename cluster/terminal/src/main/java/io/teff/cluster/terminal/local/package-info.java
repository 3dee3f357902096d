/**
 * A cluster on this machine: a process for each node, in a common folder, under a supervisor.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.terminal.local.ClusterFolder} has the layout of the folder,
 * {@link io.teff.cluster.terminal.local.Supervisor} starts the nodes, waits for their ends, and reports these to the
 * superpeers as facts, so that no zone has to wait for the end of a lease.
 *
 * <p><b>Fault model.</b> Each process may be killed at any moment, the supervisor, too. Without their supervisor, nodes
 * continue; the next {@code cluster up} takes over the nodes, and {@code cluster down} ends the nodes.
 */
@NullMarked
package io.teff.cluster.terminal.local;

import org.jspecify.annotations.NullMarked;
