/**
 * Flight Recorder events of the engine.
 *
 * <p><b>Promise.</b> A disabled event costs the test of a flag, which the JIT removes. No event is on a hot path.
 *
 * <p><b>Neighbours.</b> Each event is recorded where its cause is; nothing here uses the engine. {@code teff.jfc}
 * beside the documentation enables all of them.
 *
 * <p><b>Start here.</b> {@code docs/EVENTS.md} lists the events and their fields.
 */
@NullMarked
package io.teff.engine.event;

import org.jspecify.annotations.NullMarked;
