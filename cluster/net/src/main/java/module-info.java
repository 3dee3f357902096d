/**
 * Messages and requests between nodes.
 *
 * <p>Usable alone: it needs the engine's codecs and a queue of JCTools. Transports to other machines are separate
 * modules, which a service loader finds; the transport inside a process is here.
 */
module io.teff.cluster.net {
    requires transitive io.teff.engine;
    requires jdk.jfr;
    requires org.jctools.core;
    requires static org.jspecify;

    exports io.teff.cluster.net;
    exports io.teff.cluster.net.config;
    exports io.teff.cluster.net.identity;
    exports io.teff.cluster.net.message;
    exports io.teff.cluster.net.report;
    exports io.teff.cluster.net.transport;

    opens io.teff.cluster.net.identity to io.teff.engine;

    uses io.teff.cluster.net.transport.TransportProvider;

    provides io.teff.cluster.net.transport.TransportProvider with io.teff.cluster.net.loop.LoopProvider;
}
