package io.teff.cluster.net.wire;

/**
 * Bits of the optional features of the protocol that a node supports. A link uses the features that both sides have.
 */
public final class Features {
    /** A link may be closed to rest: see {@link Control#REST}. */
    public static final int REST = 1;
    /** Each frame has a checksum, so a frame without one was changed on its way. */
    public static final int CHECKSUMS = 2;

    private Features() {}
}
