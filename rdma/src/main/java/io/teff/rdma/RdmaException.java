package io.teff.rdma;

/** A failed native call, with the errno by number and by name. The object that was called stays usable. */
public class RdmaException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** The native function or the step that failed. */
    private final String operation;
    /** The errno, or 0 if there is none. */
    private final int errno;

    /**
     * Creates the failure of a call.
     *
     * @param operation the native function, such as {@code ibv_create_qp}
     * @param errno positive, as the function returned or set it
     */
    public RdmaException(String operation, int errno) {
        super(operation + " failed: " + Errno.name(errno) + " (" + errno + ")");
        this.operation = operation;
        this.errno = errno;
    }

    /**
     * Creates a failure without an errno, such as an answer that does not fit the request.
     *
     * @param operation the native function, or the step that failed
     * @param reason half a sentence with the fault
     */
    public RdmaException(String operation, String reason) {
        super(operation + ": " + reason);
        this.operation = operation;
        this.errno = 0;
    }

    /** {@return the native function or the step that failed} */
    public String operation() {
        return operation;
    }

    /** {@return the errno, positive; 0 if the failure has none} */
    public int errno() {
        return errno;
    }

    /** {@return the name of the errno, such as {@code ENOMEM}; {@code NONE} if the failure has none} */
    public String errnoName() {
        return Errno.name(errno);
    }
}
