/**
 * The classes of a program or a JVM as a graph in a store: a class is a chunk, and a reference to another class is the
 * CID of its chunk.
 *
 * <p>This example shows linked data in chunks. All CIDs are reserved before the first chunk is created, so that chunks
 * can refer to each other in any order and nothing is written twice; a query follows CIDs from chunk to chunk. Start
 * with {@link io.teff.examples.graph.VertexLayout} (the bytes), then {@link
 * io.teff.examples.graph.ClassGraphReader} (class files to chunks) and {@link io.teff.examples.graph.ClassGraph}
 * (questions).
 */
@NullMarked
package io.teff.examples.graph;

import org.jspecify.annotations.NullMarked;
