/**
 * What a provider reports about its connections: the way of each connection, and the reason.
 *
 * <p><b>Contents.</b> {@code Reports} counts connections by {@code LinkReason}; {@code LinkEvent} is the event of
 * Flight Recorder.
 *
 * <p><b>Promise.</b> Each connection counts once when it begins, and once more if it falls back to TCP.
 *
 * <p><b>Fault model.</b> None: nothing here waits or fails.
 *
 * <p><b>Neighbours.</b> Used by the channels and the links of the provider. Depends on the JDK alone.
 */
@NullMarked
package io.teff.nio.selector.report;

import org.jspecify.annotations.NullMarked;
