/**
 * One-sided reads: a process reads chunks of a store in a second process by RDMA, or by shared memory, without the help
 * of the second process.
 *
 * <p>Needs {@code --enable-native-access=io.teff.engine,io.teff.rdma}.
 */
module io.teff.rdma.reads {
    requires transitive io.teff.engine;
    requires transitive io.teff.rdma;
    requires static org.jspecify;

    exports io.teff.rdma.reads;
}
