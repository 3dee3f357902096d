/**
 * Names of vertices and labels of edges, in maps of a store.
 *
 * <p><b>Promise.</b> A name has one number, and numbers are dense in the order of the first use of each name.
 * <b>Neighbours.</b> Readers of {@code formats} and {@code data} fill the maps; programs look names up.
 */
@NullMarked
package io.teff.graph.names;

import org.jspecify.annotations.NullMarked;
