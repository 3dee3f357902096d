package io.teff.rdma.ucx.worker;

/** How an endpoint treats a peer that dies. Both sides of a connection must have the same mode. */
public enum UcxErrorMode {
    /**
     * The endpoint fails: its operations end with a status, and {@link UcxEndpoint#failure} has the reason. Transports
     * over shared memory offer this only with the setting {@code MM_ERROR_HANDLING=y}.
     */
    PEER(1),
    /** Not at all: operations may stay under way until the endpoint is closed, and the close waits its full time. */
    NONE(0);

    private final int code;

    UcxErrorMode(int code) {
        this.code = code;
    }

    /** {@return the value of {@code ucp_err_handling_mode_t}} */
    public int code() {
        return code;
    }
}
