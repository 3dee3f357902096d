/**
 * Stores on many machines that act as one store.
 *
 * <p>So far there are messages between nodes: {@code io.teff.cluster.net}.
 */
module io.teff.cluster {
    requires transitive io.teff.recovery;
    requires jdk.jfr;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires org.agrona;
    requires org.jctools.core;
    requires static org.jspecify;

    exports io.teff.cluster.net;
    exports io.teff.cluster.net.transport;

    uses io.teff.cluster.net.transport.TransportProvider;

    provides io.teff.cluster.net.transport.TransportProvider with
        io.teff.cluster.net.aeron.AeronProvider, io.teff.cluster.net.loop.LoopProvider;
}
