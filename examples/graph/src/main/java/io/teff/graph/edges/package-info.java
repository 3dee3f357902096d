/** Edges on their way from files and generators into graphs. */
@NullMarked
package io.teff.graph.edges;

import org.jspecify.annotations.NullMarked;
