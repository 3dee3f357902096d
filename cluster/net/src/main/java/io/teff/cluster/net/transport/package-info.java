/**
 * What a transport is: the interface between streams of frames and whatever carries bytes.
 *
 * <p>A transport is small: it connects, accepts, writes what fits, and tells what has come. It does not buffer for
 * others, knows no time and starts no thread, but for names ({@link io.teff.cluster.net.transport.Lookups}). Sessions,
 * which survive links, are made of it by {@code io.teff.cluster.net}.
 */
@NullMarked
package io.teff.cluster.net.transport;

import org.jspecify.annotations.NullMarked;
