package io.teff.cluster;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a change is unknown: the deadline has passed, or the session of the client was lost, after the change
 * was sent and before there was an answer. The change was made once or not at all, or is made once shortly after. The
 * caller can read the chunk to find out.
 */
public final class UnknownOutcomeException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param message naming the operation, the chunk, and the cause
     * @param cause the last failure, or null
     */
    public UnknownOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
