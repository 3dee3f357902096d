package io.teff.cluster.net.wire;

/** Bits of what a node can do besides the rest of the protocol. A link uses those that both of its sides have. */
public final class Features {
    /** A link may be closed to rest: see {@link Control#REST}. */
    public static final int REST = 1;
    /** Each frame has a checksum, so one that has none was changed on its way. */
    public static final int CHECKSUMS = 2;

    private Features() {}
}
