package io.teff.cluster.node;

import org.jspecify.annotations.Nullable;

/** A node cannot be started; the message says what is in the way, and what to do. */
public final class NodeStartException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message what is in the way
     * @param cause the reason, or null
     */
    public NodeStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
