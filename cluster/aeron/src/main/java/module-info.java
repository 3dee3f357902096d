/**
 * The transport over Aeron, {@code aeron:udp} and {@code aeron:ipc}.
 *
 * <p>No package is exported: a service loader finds the transport.
 */
module io.teff.cluster.aeron {
    requires io.aeron.client;
    requires io.aeron.driver;
    requires transitive io.teff.cluster.net;
    requires org.agrona;
    requires org.jctools.core;
    requires static org.jspecify;

    provides io.teff.cluster.net.transport.TransportProvider with io.teff.cluster.aeron.AeronProvider;
}
