/**
 * The classes of a JVM as a graph in a store: a class is a chunk, a reference from one class to another is an edge.
 *
 * <p>It shows how linked data lives in chunks. All CIDs are reserved before the first chunk is created, so that
 * chunks can name each other in any order and nothing is written twice; edges are CIDs inside of chunks; a query
 * follows them from chunk to chunk. Start with {@link io.teff.examples.graph.VertexLayout} (the bytes), then {@link
 * io.teff.examples.graph.ClassGraphReader} (class files to chunks) and {@link io.teff.examples.graph.ClassGraph}
 * (questions).
 */
@NullMarked
package io.teff.examples.graph;

import org.jspecify.annotations.NullMarked;
