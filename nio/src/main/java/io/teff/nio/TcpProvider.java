package io.teff.nio;

import io.teff.cluster.net.transport.Transport;
import io.teff.cluster.net.transport.TransportOptions;
import io.teff.cluster.net.transport.TransportProvider;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Provides transports of the scheme {@code tcp}. */
public final class TcpProvider implements TransportProvider {
    /** Creates a provider; called by the service loader. */
    public TcpProvider() {}

    @Override
    public String scheme() {
        return "tcp";
    }

    @Override
    public Transport open(TransportOptions options) {
        try {
            return new TcpTransport(options.tls());
        } catch (IOException e) {
            throw new UncheckedIOException("this process cannot open another selector", e);
        }
    }
}
