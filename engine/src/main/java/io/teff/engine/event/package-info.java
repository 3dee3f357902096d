/**
 * The engine's Flight Recorder events. Off, they cost a test of a flag that the JIT folds; none is on a hot path.
 *
 * <p>{@code teff.jfc} beside the documentation switches them on; see {@code docs/EVENTS.md}.
 */
@NullMarked
package io.teff.engine.event;

import org.jspecify.annotations.NullMarked;
