/**
 * A cluster on this machine: a process for each node, in one folder, under a supervisor.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.terminal.local.ClusterFolder} has the layout of the folder, {@link
 * io.teff.cluster.terminal.local.Supervisor} starts the nodes, waits for their ends, and reports these to the
 * superpeers as facts, so that nothing has to wait for a lease.
 *
 * <p><b>Fault model.</b> Each process may be killed at any moment, the supervisor, too. Its nodes then go on; the next
 * {@code cluster up} takes them over, and {@code cluster down} ends them.
 */
@NullMarked
package io.teff.cluster.terminal.local;

import org.jspecify.annotations.NullMarked;
