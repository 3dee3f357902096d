package io.teff.cluster.net.wire;

/** Bits of the optional features of the protocol supported by a node. A link uses the features common to both sides. */
public final class Features {
    /** A link may be closed to rest: see {@link Control#REST}. */
    public static final int REST = 1;
    /** Each frame has a checksum, so a frame without a checksum was corrupted on the way. */
    public static final int CHECKSUMS = 2;
    /** The node has drawn its NID by lot, so another process with the NID is another node, not a later start. */
    public static final int DRAWN = 4;

    private Features() {}
}
