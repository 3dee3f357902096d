/** The part of the lane that stands in the engine's package, to reach the rules of a page's words. */
@NullMarked
package io.teff.engine.alloc;

import org.jspecify.annotations.NullMarked;
