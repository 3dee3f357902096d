package io.teff.rdma.reads;

/** The owner of the memory is gone, or has closed the offer. If the owner still answers, the reader can ask. */
public final class PeerLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message the failed operation, and the cause
     */
    public PeerLostException(String message) {
        super(message);
    }
}
