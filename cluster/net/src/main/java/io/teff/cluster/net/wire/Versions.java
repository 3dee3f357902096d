package io.teff.cluster.net.wire;

/** Versions of the protocol supported by this code. */
final class Versions {
    static final int LOWEST = 1;
    static final int HIGHEST = 1;

    private Versions() {}
}
