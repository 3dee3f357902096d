package io.teff.cluster.net.wire;

/** Bits of the optional features of the protocol supported by a node. A link uses the features common to both sides. */
public final class Features {
    /** A link may be closed to rest: see {@link Control#REST}. */
    public static final int REST = 1;
    /** Each frame has a checksum, so a frame without a checksum was corrupted on the way. */
    public static final int CHECKSUMS = 2;

    private Features() {}
}
