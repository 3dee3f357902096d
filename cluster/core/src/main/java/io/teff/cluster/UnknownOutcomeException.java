package io.teff.cluster;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * It is not known whether a change was made: the connection was lost or the deadline passed after the operation was
 * sent. The caller can read the chunk to find out.
 */
public final class UnknownOutcomeException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param message which operation on which chunk, and what happened
     * @param cause the last failure, or null
     */
    public UnknownOutcomeException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
