/**
 * The TCP transport, made of the JDK's selectors.
 *
 * <p>No package is exported yet: see {@code io.teff.nio}.
 */
module io.teff.nio {
    requires static org.jspecify;
}
