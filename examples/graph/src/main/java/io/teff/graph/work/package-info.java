/** Threads of graph algorithms and loaders, their progress and cancellation. */
@NullMarked
package io.teff.graph.work;

import org.jspecify.annotations.NullMarked;
