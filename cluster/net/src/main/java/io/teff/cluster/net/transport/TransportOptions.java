package io.teff.cluster.net.transport;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Requirements of a network on its transports.
 *
 * @param tls keys and trusted authorities for encrypted links, or null; see {@link Capability#ENCRYPTED}
 */
public record TransportOptions(@Nullable SSLContext tls) {}
