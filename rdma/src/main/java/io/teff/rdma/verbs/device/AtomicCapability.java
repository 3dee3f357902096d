package io.teff.rdma.verbs.device;

/** With whom the atomic operations of a device are atomic. */
public enum AtomicCapability {
    /** There are none. */
    NONE(0),
    /** With those of all queue pairs of this device. */
    HCA(1),
    /** With all accesses of the machine to the memory, those of processors included. */
    GLOBAL(2),
    /** A value that this version of the binding does not know. */
    UNKNOWN(-1);

    private static final AtomicCapability[] ALL = values();

    private final int code;

    AtomicCapability(int code) {
        this.code = code;
    }

    /** {@return the number of ibv_atomic_cap} */
    public int code() {
        return code;
    }

    /** Returns the constant of a number. */
    static AtomicCapability of(int code) {
        for (AtomicCapability one : ALL) {
            if (one.code == code) {
                return one;
            }
        }
        return UNKNOWN;
    }
}
