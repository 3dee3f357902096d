package io.teff.rdma.verbs.device;

/** The network below a port. */
public enum LinkLayer {
    /** Reported by old devices alone. */
    UNSPECIFIED(0),
    /** InfiniBand: peers have a local id (LID). */
    INFINIBAND(1),
    /** Ethernet, by RoCE or iWARP: peers have a global id (GID) alone. */
    ETHERNET(2),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final LinkLayer[] ALL = values();

    private final int code;

    LinkLayer(int code) {
        this.code = code;
    }

    /** {@return the number of the link layer} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static LinkLayer of(int code) {
        for (LinkLayer one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
