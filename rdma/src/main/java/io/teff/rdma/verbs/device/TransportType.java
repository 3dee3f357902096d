package io.teff.rdma.verbs.device;

/** The transport of a device. */
public enum TransportType {
    /** InfiniBand or RoCE. */
    IB(0),
    /** RDMA over TCP. */
    IWARP(1),
    /** usNIC. */
    USNIC(2),
    /** usNIC over UDP. */
    USNIC_UDP(3),
    /** Another one. */
    UNSPECIFIED(4),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final TransportType[] ALL = values();

    private final int code;

    TransportType(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_transport_type} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static TransportType of(int code) {
        for (TransportType one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
