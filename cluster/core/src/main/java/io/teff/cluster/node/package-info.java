/**
 * A node of a cluster inside a process: the node's folder, ports, and the parts needed by the node's role.
 *
 * <p><b>Promise.</b> {@link io.teff.cluster.node.Node#begin} either returns a running node, or throws an exception with
 * the obstacle, and leaves nothing running, listening or locked. <b>Fault model.</b> The process may be killed at any
 * moment; a start in the same folder afterwards works at once.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.node.NodeConfig#of} checks the values of a configuration, and names
 * every fault with its place. {@link io.teff.cluster.node.Node#begin} starts a node.
 *
 * <p><b>Neighbours.</b> Options and their values come from {@link io.teff.cluster.admin}; files and the command line
 * are read in a module of its own.
 */
@NullMarked
package io.teff.cluster.node;

import org.jspecify.annotations.NullMarked;
