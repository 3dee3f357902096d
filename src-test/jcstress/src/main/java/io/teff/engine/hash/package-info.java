/** The part of the lane in the engine's package, which splits and merges buckets on demand. */
@NullMarked
package io.teff.engine.hash;

import org.jspecify.annotations.NullMarked;
