/**
 * The figures of a node: where they come from, and how long the node keeps them.
 *
 * <p><b>Content.</b> {@link io.teff.cluster.figure.ProcessFigures} reads process, JVM and machine. {@link
 * io.teff.cluster.figure.FigureKeeper} asks the parts of a node every ten seconds, and keeps the answers in two {@link
 * io.teff.cluster.figure.FigureRing rings} of an hour and a day.
 *
 * <p><b>Promise.</b> A collection takes no lock of a hot path. The memory of a keeper never grows.
 *
 * <p><b>Neighbours.</b> Values of {@link io.teff.cluster.admin}, messages of {@link io.teff.cluster.message}. The nodes
 * of {@code io.teff.cluster.node} own the keepers.
 *
 * <p><b>Start here.</b> {@link io.teff.cluster.figure.FigureKeeper}.
 */
@NullMarked
package io.teff.cluster.figure;

import org.jspecify.annotations.NullMarked;
