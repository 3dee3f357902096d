/** The part of the lane in the engine's package, which has access to the rules of a table page's words. */
@NullMarked
package io.teff.engine.table;

import org.jspecify.annotations.NullMarked;
