/**
 * The interface between streams of frames and the carriers of bytes.
 *
 * <p>A transport is small: a transport connects, accepts, writes as many bytes as fit, and reports received bytes. A
 * transport does not buffer for its callers, has no clock, and starts no thread except for names
 * ({@link io.teff.cluster.net.transport.Lookups}). {@code io.teff.cluster.net} builds sessions on links. A session
 * survives its links.
 */
@NullMarked
package io.teff.cluster.net.transport;

import org.jspecify.annotations.NullMarked;
