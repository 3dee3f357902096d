/**
 * The transports over RDMA hardware, bound by the foreign function interface.
 *
 * <p>No package is exported yet: see {@code io.teff.rdma}.
 */
module io.teff.rdma {
    requires static org.jspecify;
}
