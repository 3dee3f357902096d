/**
 * A selector provider: programs written for {@code java.nio} run over OpenUCX where both ends of a connection have the
 * provider, and by TCP elsewhere.
 *
 * <p><b>Contents.</b> {@code TeffSelectorProvider} is the provider, as an object or by the system property {@code
 * java.nio.channels.spi.SelectorProvider}. The channels and the selector stand around those of the JDK.
 *
 * <p><b>Promise.</b> A channel does what the JDK's channel does, with exceptions of the same types. A connection to a
 * program without the provider is a plain TCP connection, in both directions, on the same port.
 *
 * <p><b>Fault model.</b> Peers that end, stall, reset or do not have the provider; a missing library.
 *
 * <p><b>Neighbours.</b> {@code link} has the bytes by UCX, {@code report} the counters. Uses the binding of UCX, and no
 * other part of Teff.
 */
@NullMarked
package io.teff.nio.selector;

import org.jspecify.annotations.NullMarked;
