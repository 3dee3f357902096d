package io.teff.rdma.verbs.device;

/** The largest payload of a packet of a connection. A port has a limit of its own. */
public enum PathMtu {
    /** 256 bytes. */
    MTU_256,
    /** 512 bytes. */
    MTU_512,
    /** 1,024 bytes. */
    MTU_1024,
    /** 2,048 bytes. */
    MTU_2048,
    /** 4,096 bytes. */
    MTU_4096;

    private static final PathMtu[] ALL = values();
    private static final int SMALLEST = 256;

    /** {@return the payload in bytes} */
    public int bytes() {
        return SMALLEST << ordinal();
    }

    /** {@return the number of ibv_mtu} */
    public int code() {
        return ordinal() + 1;
    }

    /**
     * {@return the constant of a number of ibv_mtu; the largest constant for a number that this version does not know}
     *
     * @param code from 1 on
     */
    public static PathMtu of(int code) {
        return ALL[Math.clamp(code, 1, ALL.length) - 1];
    }
}
