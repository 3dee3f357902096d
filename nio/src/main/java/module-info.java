/**
 * The TCP transport, made of the JDK's selectors.
 */
module io.teff.nio {
    requires io.teff.cluster.net;
    requires static org.jspecify;

    provides io.teff.cluster.net.transport.TransportProvider with io.teff.nio.TcpProvider;
}
