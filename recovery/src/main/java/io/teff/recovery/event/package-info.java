/**
 * The Flight Recorder events of the log. A disabled event costs the test of a flag that the JIT folds; none is on a
 * path that runs per change.
 */
@NullMarked
package io.teff.recovery.event;

import org.jspecify.annotations.NullMarked;
