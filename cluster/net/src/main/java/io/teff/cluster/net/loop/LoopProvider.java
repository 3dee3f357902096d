package io.teff.cluster.net.loop;

import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;

/** Makes transports of the scheme {@code loop}. */
public final class LoopProvider implements TransportProvider {
    /** Makes a provider. */
    public LoopProvider() {}

    @Override
    public String scheme() {
        return "loop";
    }

    @Override
    public Transport open(TransportOptions options) {
        return new LoopTransport();
    }
}
