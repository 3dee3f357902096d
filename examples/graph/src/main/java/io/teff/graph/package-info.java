/** Graphs: what algorithms read. */
@NullMarked
package io.teff.graph;

import org.jspecify.annotations.NullMarked;
