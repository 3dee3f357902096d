/**
 * The Flight Recorder events of messages. Off, they cost a test of a flag that the JIT folds; none is on a path that
 * runs per message, but for those that wait or fail.
 */
@NullMarked
package io.teff.cluster.net.event;

import org.jspecify.annotations.NullMarked;
