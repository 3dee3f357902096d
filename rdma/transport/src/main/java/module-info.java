/**
 * The transports {@code ucx:} and {@code verbs:} of the messaging, over the bindings of {@code io.teff.rdma}.
 *
 * <p>No package is exported: a service loader finds the transports.
 */
module io.teff.rdma.transport {
    requires io.teff.rdma;
    requires static org.jspecify;
    requires transitive io.teff.cluster.net;

    uses io.teff.cluster.net.transport.TransportProvider;

    provides io.teff.cluster.net.transport.TransportProvider with io.teff.rdma.transport.ucx.UcxProvider,
        io.teff.rdma.transport.verbs.VerbsProvider;
}
