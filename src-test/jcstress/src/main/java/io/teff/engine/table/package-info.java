/** The part of the lane that stands in the engine's package, to reach the rules of the words of a table page. */
@NullMarked
package io.teff.engine.table;

import org.jspecify.annotations.NullMarked;
