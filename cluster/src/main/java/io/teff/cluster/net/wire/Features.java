package io.teff.cluster.net.wire;

/** Bits of what a node can do besides the rest of the protocol. A link uses those that both of its sides have. */
public final class Features {
    /** A link may be closed to rest: see {@link Control#REST}. */
    public static final int REST = 1;
    /** All that there are. */
    public static final int ALL = REST;

    private Features() {}
}
