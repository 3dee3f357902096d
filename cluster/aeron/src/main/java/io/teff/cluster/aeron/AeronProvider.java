package io.teff.cluster.aeron;

import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;

/** Makes transports of the scheme {@code aeron}. */
public final class AeronProvider implements TransportProvider {
    /** Makes a provider. */
    public AeronProvider() {}

    @Override
    public String scheme() {
        return AeronAddress.SCHEME;
    }

    @Override
    public Transport open(TransportOptions options) {
        return new AeronTransport();
    }
}
