/**
 * Stores on many machines that act as one store.
 *
 * <p>No package is exported yet: see {@code io.teff.cluster}.
 */
module io.teff.cluster {
    requires transitive io.teff.cluster.net;
    requires transitive io.teff.recovery;
    requires static org.jspecify;
}
