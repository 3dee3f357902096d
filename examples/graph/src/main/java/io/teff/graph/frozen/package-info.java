/**
 * Graphs that never change, in arrays off the heap: the fastest form for algorithms.
 *
 * <p>Start at {@link io.teff.graph.frozen.FrozenGraph}.
 */
@NullMarked
package io.teff.graph.frozen;

import org.jspecify.annotations.NullMarked;
