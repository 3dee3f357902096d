package io.teff.rdma.verbs.device;

/** The state of a port. */
public enum PortState {
    /** Not reported by the device. */
    NOP(0),
    /** No link. */
    DOWN(1),
    /** A link that is not configured. */
    INIT(2),
    /** Configured, and not active yet. */
    ARMED(3),
    /** Up. */
    ACTIVE(4),
    /** Up, after an error of the link. */
    ACTIVE_DEFER(5),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final PortState[] ALL = values();

    private final int code;

    PortState(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_port_state} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static PortState of(int code) {
        for (PortState one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
