package io.teff.cluster.operation;

import io.teff.engine.error.StoreException;
import java.io.Serial;

/**
 * Cause of a {@link StoreException} for a peer that cannot take a change now, and has changed nothing. A client
 * repeats the operation after a pause.
 */
public final class PeerBusy extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    private static final PeerBusy CAUSE = new PeerBusy();

    private PeerBusy() {
        super("the peer is busy", null, false, false);
    }

    /**
     * Makes an exception for a change that is refused.
     *
     * @param message what is exhausted
     * @return an exception of category DEGRADED, with this class as its cause
     */
    public static StoreException refusal(String message) {
        return new StoreException(StoreException.Category.DEGRADED, message, CAUSE);
    }

    /**
     * Returns whether an exception is such a refusal.
     *
     * @param failure the exception
     * @return whether the operation can be repeated
     */
    public static boolean is(Throwable failure) {
        return failure.getCause() instanceof PeerBusy;
    }
}
