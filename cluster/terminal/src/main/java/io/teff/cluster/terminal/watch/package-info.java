/**
 * A look at a cluster from outside: tables of the superpeers, statuses of nodes, commands for the cell.
 *
 * <p><b>Fault model.</b> The fault model of a client: links break, and nodes answer late or never. Each call has a
 * deadline.
 */
@NullMarked
package io.teff.cluster.terminal.watch;

import org.jspecify.annotations.NullMarked;
