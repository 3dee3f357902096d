/**
 * Algorithms on graphs: paths, triangles, cores, betweenness, communities, components, cliques, levels.
 *
 * <p><b>Promise.</b> Each result is a function of the graph and the arguments alone: any number of threads gives equal
 * results, bit by bit. An algorithm that is cancelled ends with a {@link java.util.concurrent.CancellationException}
 * and leaves nothing behind. A graph that breaks a condition of the algorithm, such as a weight below 0, ends with an
 * exception and never with a wrong result. The graph does not change while an algorithm reads the graph.
 *
 * <p><b>Neighbours.</b> The algorithms read {@link io.teff.graph.Adjacency} by one cursor for each thread, and write
 * arrays. {@code io.teff.graph.algorithms.program} is for algorithms of one's own. Begin with
 * {@link io.teff.graph.algorithms.Triangles}.
 */
@NullMarked
package io.teff.graph.algorithms;

import org.jspecify.annotations.NullMarked;
