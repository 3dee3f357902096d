/**
 * Flight Recorder events of messaging. Disabled, an event costs a test of a flag that the JIT compiler folds. No event
 * is on a path executed for each message, except for messages that wait or fail.
 */
@NullMarked
package io.teff.cluster.net.event;

import org.jspecify.annotations.NullMarked;
