/**
 * Stores on many machines that act as one store.
 *
 * <p>No package is exported yet: see {@code io.teff.cluster}. Superpeers need Aeron; peers and clients run without it.
 */
module io.teff.cluster {
    requires static io.aeron.archive;
    requires static io.aeron.client;
    requires static io.aeron.cluster;
    requires static io.aeron.driver;
    requires transitive io.teff.cluster.net;
    requires transitive io.teff.recovery;
    requires static org.agrona;
    requires static org.jspecify;

    opens io.teff.cluster.message to io.teff.engine;
    opens io.teff.cluster.meta to io.teff.engine;
}
