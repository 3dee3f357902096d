/**
 * Graphs of data that a machine has: references between the classes of the JDK, calls between its methods, relations
 * between the packages of Debian, and the words of WordNet.
 *
 * <p><b>Promise.</b> Equal input gives equal numbers of vertices, whatever the number of threads. Labels name the kinds
 * of edges. <b>Neighbours.</b> Fills {@code names}; gives a {@link io.teff.graph.names.GraphInput}. Nothing is
 * downloaded except by {@link io.teff.graph.data.WordNetFiles#fetch}.
 */
@NullMarked
package io.teff.graph.data;

import org.jspecify.annotations.NullMarked;
