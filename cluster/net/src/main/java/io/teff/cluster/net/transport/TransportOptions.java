package io.teff.cluster.net.transport;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What a network asks of its transports.
 *
 * @param tls keys, and whom to trust, for links that are encrypted, or null; see {@link Capability#ENCRYPTED}
 */
public record TransportOptions(@Nullable SSLContext tls) {}
