/**
 * Applications of the nodes of a cluster: code that starts and ends with a node.
 *
 * <p><b>Promise.</b> An application starts when its node has joined, and is stopped before the node leaves. An
 * application that fails ends nothing but itself.
 *
 * <p><b>Neighbours.</b> Jobs and compute groups are in {@link io.teff.engine.compute}, because stores of one JVM have
 * them, too: {@link io.teff.cluster.ClusterStore#compute}. Choose a job for short work on the data of one zone, a group
 * for long work of many workers in steps, and an application for everything else.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.compute.ClusterApplication}.
 */
@NullMarked
package io.teff.cluster.compute;

import org.jspecify.annotations.NullMarked;
