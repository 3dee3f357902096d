package io.teff.cluster.admin;

import org.jspecify.annotations.Nullable;

/** A node cannot be started; the message names the obstacle and a remedy. */
public final class NodeStartException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message the obstacle, for people
     * @param cause the reason, or null
     */
    public NodeStartException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
