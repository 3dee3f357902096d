/** The part of the lane in the engine's package, which has access to the rules of a page's words. */
@NullMarked
package io.teff.engine.alloc;

import org.jspecify.annotations.NullMarked;
