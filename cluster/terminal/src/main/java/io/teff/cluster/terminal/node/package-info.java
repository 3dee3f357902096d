/**
 * The command {@code node}: a process for a node.
 *
 * <p><b>Promise.</b> The process prints a line when the node is ready, and ends in order on SIGTERM. While the node is
 * ready, file {@code node.run} in the node's folder names the process and the node's life.
 */
@NullMarked
package io.teff.cluster.terminal.node;

import org.jspecify.annotations.NullMarked;
