/**
 * The TCP transport, implemented with the selectors of the JDK.
 */
module io.teff.nio {
    requires transitive io.teff.cluster.net;
    requires static org.jspecify;

    provides io.teff.cluster.net.transport.TransportProvider with io.teff.nio.TcpProvider;
}
