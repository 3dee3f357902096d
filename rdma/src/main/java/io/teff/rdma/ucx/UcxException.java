package io.teff.rdma.ucx;

import io.teff.rdma.RdmaException;

/** A failed call or operation of UCX, with the status. The object that was called stays usable. */
public final class UcxException extends RdmaException {
    private static final long serialVersionUID = 1L;

    /** The outcome. */
    private final UcxStatus status;

    /**
     * Creates the failure of a call.
     *
     * @param operation the function of UCX, or the operation
     * @param status the outcome
     */
    public UcxException(String operation, UcxStatus status) {
        this(operation, status, "");
    }

    /**
     * Creates the failure of a call with a hint.
     *
     * @param operation the function of UCX, or the operation
     * @param status the outcome
     * @param hint a sentence with advice; may be empty
     */
    public UcxException(String operation, UcxStatus status, String hint) {
        super(operation, status.name() + " (" + status.text() + ")" + (hint.isEmpty() ? "" : "; " + hint));
        this.status = status;
    }

    /**
     * Returns the outcome.
     *
     * @return a failure
     */
    public UcxStatus status() {
        return status;
    }

    /**
     * Throws the failure of a call unless the code is 0.
     *
     * @param operation the function of UCX
     * @param code the outcome
     */
    public static void check(String operation, int code) {
        check(operation, code, "");
    }

    /**
     * Throws the failure of a call, with a hint, unless the code is 0.
     *
     * @param operation the function of UCX
     * @param code the outcome
     * @param hint a sentence with advice; may be empty
     */
    public static void check(String operation, int code, String hint) {
        if (code != 0) {
            throw new UcxException(operation, UcxStatus.of(code), hint);
        }
    }
}
