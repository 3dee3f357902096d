/**
 * Graphs in parts, each in a zone of a cluster, and algorithms in supersteps of compute groups.
 *
 * <p><b>Promise.</b> A program has the same result on a store of this JVM and on a cluster, also if nodes end in the
 * middle; or it ends with a typed failure, as asked. <b>Fault model.</b> Nodes that end, and zones that move. The arcs
 * of a graph survive what chunks survive.
 *
 * <p><b>Neighbours.</b> Programs are those of {@link io.teff.graph.algorithms.program}. Zones, groups and messages
 * between workers are those of {@link io.teff.engine.compute}; this package knows no cluster.
 *
 * <p><b>Start here.</b> {@link io.teff.graph.cluster.PartedLoader} makes a graph, {@link
 * io.teff.graph.cluster.PartedRuns} computes on it. {@code PartLayout} draws the chunks.
 */
@NullMarked
package io.teff.graph.cluster;

import org.jspecify.annotations.NullMarked;
