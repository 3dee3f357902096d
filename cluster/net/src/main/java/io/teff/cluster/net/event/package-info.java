/**
 * Flight Recorder events of messaging. Disabled, an event costs a test of a flag that the JIT compiler folds. None is
 * on a path that runs for each message, except on those that wait or fail.
 */
@NullMarked
package io.teff.cluster.net.event;

import org.jspecify.annotations.NullMarked;
