/**
 * Stores on many machines that act as one store.
 *
 * <p>Superpeers need Aeron; peers and clients run without it.
 */
@SuppressWarnings("module")                                  // they are compiled later
module io.teff.cluster {
    requires static io.aeron.archive;
    requires static io.aeron.client;
    requires static io.aeron.cluster;
    requires static io.aeron.driver;
    requires transitive io.teff.cluster.net;
    requires transitive io.teff.recovery;
    requires jdk.jfr;
    requires static org.agrona;
    requires static org.jspecify;

    exports io.teff.cluster;
    exports io.teff.cluster.cell to io.teff.cluster.terminal;
    exports io.teff.cluster.config to io.teff.cluster.terminal;
    exports io.teff.cluster.lease to io.teff.cluster.terminal;
    exports io.teff.cluster.log to io.teff.cluster.terminal;
    exports io.teff.cluster.message to io.teff.cluster.terminal;
    exports io.teff.cluster.meta to io.teff.cluster.terminal;
    exports io.teff.cluster.node to io.teff.cluster.terminal;
    exports io.teff.cluster.peer to io.teff.cluster.terminal;

    opens io.teff.cluster.message to io.teff.engine;
    opens io.teff.cluster.meta to io.teff.engine;

    uses io.teff.cluster.ClusterConnector;

    provides io.teff.cluster.ClusterConnector with io.teff.cluster.client.RemoteStore.Connector;
}
