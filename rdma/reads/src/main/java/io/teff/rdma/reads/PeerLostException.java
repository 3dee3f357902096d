package io.teff.rdma.reads;

/** The peer whose memory was read has gone, or has closed its offer. The reader can ask, if the owner still answers. */
public final class PeerLostException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message what has failed
     */
    public PeerLostException(String message) {
        super(message);
    }
}
