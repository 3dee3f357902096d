package io.teff.rdma.transport.verbs;

import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.engine.os.Platform;

/** Provides transports of the scheme {@code verbs}. */
public final class VerbsProvider implements TransportProvider {
    /** Creates a provider; called by the service loader. */
    public VerbsProvider() {}

    @Override
    public String scheme() {
        return VerbsTransport.SCHEME;
    }

    @Override
    public Transport open(TransportOptions options) {
        return new VerbsTransport(Platform.SYSTEM);
    }
}
