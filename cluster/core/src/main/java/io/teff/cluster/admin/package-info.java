/**
 * The administration of clusters: the face of the terminal, of consoles, and of programs that run nodes.
 *
 * <p><b>Content.</b> {@link io.teff.cluster.admin.ClusterAdmin} connects to a cluster, reads the status, watches
 * events, reports ended nodes, and accepts losses. {@link io.teff.cluster.admin.ClusterMoves} moves zones, unloads and
 * forgets peers. {@link io.teff.cluster.admin.NodeSettings} checks the configuration
 * of a node, and starts the node as a {@link io.teff.cluster.admin.ClusterNode} of this process. {@link
 * io.teff.cluster.admin.ClusterRebuild} makes lost metadata again.
 *
 * <p><b>Promise.</b> A {@link io.teff.cluster.admin.NodeStatus} is made by the node, and travels unchanged: messages,
 * texts, JSON, and JMX derive their figures from the one record. All values are immutable, all interfaces are
 * thread-safe unless a type says otherwise.
 *
 * <p><b>Neighbours.</b> A ground floor: this package needs only the client's configuration of the root package. A
 * service loader finds the implementation, as for {@link io.teff.cluster.ClusterStore}.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.admin.ClusterAdmin}, then {@link io.teff.cluster.admin.ClusterStatus}.
 */
@NullMarked
package io.teff.cluster.admin;

import org.jspecify.annotations.NullMarked;
