/**
 * The Flight Recorder events of the log. Off, they cost a test of a flag that the JIT folds; none is on a path that
 * runs per change.
 */
@NullMarked
package io.teff.recovery.event;

import org.jspecify.annotations.NullMarked;
