package io.teff.cluster.net.wire;

/** Bits of what a node supports besides the rest of the protocol. A link uses those that both sides have. */
public final class Features {
    /** A link may be closed to rest: see {@link Control#REST}. */
    public static final int REST = 1;
    /** Each frame has a checksum, so a frame without one was changed on its way. */
    public static final int CHECKSUMS = 2;

    private Features() {}
}
