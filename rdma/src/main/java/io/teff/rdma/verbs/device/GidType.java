package io.teff.rdma.verbs.device;

/** The kind of packets that an address of a port stands for. */
public enum GidType {
    /** InfiniBand. */
    IB(0),
    /** RoCE version 1, on Ethernet without IP. */
    ROCE_V1(1),
    /** RoCE version 2, over UDP. */
    ROCE_V2(2),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final GidType[] ALL = values();

    private final int code;

    GidType(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_gid_type} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static GidType of(int code) {
        for (GidType one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
