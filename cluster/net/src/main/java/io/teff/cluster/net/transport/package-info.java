/**
 * The interface between streams of frames and what carries bytes.
 *
 * <p>A transport is small: it connects, accepts, writes as many bytes as fit, and reports received bytes. It does not
 * buffer for its callers, has no clock, and starts no thread except for names
 * ({@link io.teff.cluster.net.transport.Lookups}). {@code io.teff.cluster.net} makes sessions, which survive links, of
 * its links.
 */
@NullMarked
package io.teff.cluster.net.transport;

import org.jspecify.annotations.NullMarked;
