/**
 * From edges in any order to sorted runs of neighbours.
 *
 * <p>{@link io.teff.graph.load.EdgeSorter} reads an {@link io.teff.graph.edges.EdgeSource} with several threads, and
 * gives the runs of all vertices to a {@link io.teff.graph.load.SortedRuns}: a store or a frozen graph.
 */
@NullMarked
package io.teff.graph.load;

import org.jspecify.annotations.NullMarked;
