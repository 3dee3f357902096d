/**
 * The Flight Recorder events of the log. A disabled event costs the test of a flag; the JIT folds this test. No event
 * is on a path that runs per change.
 */
@NullMarked
package io.teff.recovery.event;

import org.jspecify.annotations.NullMarked;
