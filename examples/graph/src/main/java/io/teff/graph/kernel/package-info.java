/**
 * Breadth-first search, connected components and PageRank, on any {@link io.teff.graph.Adjacency}.
 *
 * <p>Start at {@link io.teff.graph.kernel.BreadthFirst}. Each algorithm has two inner loops. One loop reads the arrays
 * of a {@link io.teff.graph.frozen.FrozenGraph}. The other loop reads any graph by cursors. The steps around both loops
 * are common. {@link io.teff.graph.work.Workers} are the threads, {@link io.teff.graph.work.WorkWatch} sees the
 * progress and may cancel.
 */
@NullMarked
package io.teff.graph.kernel;

import org.jspecify.annotations.NullMarked;
