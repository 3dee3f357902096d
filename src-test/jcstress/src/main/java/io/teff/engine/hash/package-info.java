/** The part of the lane that stands in the engine's package, to split and merge buckets when it wants to. */
@NullMarked
package io.teff.engine.hash;

import org.jspecify.annotations.NullMarked;
