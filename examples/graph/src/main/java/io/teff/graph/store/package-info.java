/**
 * Graphs in a {@link io.teff.engine.Store}: a vertex is a chunk, found by the number of the vertex.
 *
 * <p>Start at {@link io.teff.graph.store.StoreGraph}. {@link io.teff.graph.store.GraphLoader} fills a graph,
 * {@link io.teff.graph.store.VertexColumn} has properties of its vertices.
 *
 * <p>Each run of neighbours is a chunk, so a run is read and replaced atomically. Edges may change while algorithms
 * read.
 */
@NullMarked
package io.teff.graph.store;

import org.jspecify.annotations.NullMarked;
