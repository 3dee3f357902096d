/**
 * Bindings of the native libraries for RDMA by the foreign function interface of the JDK: without C, without a native
 * build, without a dependency beyond the JDK.
 *
 * <p>Needs {@code --enable-native-access=io.teff.rdma}; without that flag the JDK warns once and goes on.
 */
module io.teff.rdma {
    requires static org.jspecify;

    exports io.teff.rdma;
    exports io.teff.rdma.ucx;
    exports io.teff.rdma.ucx.memory;
    exports io.teff.rdma.ucx.message;
    exports io.teff.rdma.ucx.worker;
    exports io.teff.rdma.verbs.connect;
    exports io.teff.rdma.verbs.device;
    exports io.teff.rdma.verbs.queue;
}
