package io.teff.rdma.transport.ucx;

import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import io.teff.engine.os.Platform;

/** Provides transports of the scheme {@code ucx}. */
public final class UcxProvider implements TransportProvider {
    /** Creates a provider; called by the service loader. */
    public UcxProvider() {}

    @Override
    public String scheme() {
        return UcxTransport.SCHEME;
    }

    @Override
    public Transport open(TransportOptions options) {
        return new UcxTransport(Platform.SYSTEM);
    }
}
