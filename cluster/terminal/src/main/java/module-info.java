/**
 * The terminal of a cluster.
 *
 * <p>No package is exported yet: see {@code io.teff.cluster.terminal}.
 */
module io.teff.cluster.terminal {
    requires io.teff.cluster;
    requires static org.jspecify;
}
