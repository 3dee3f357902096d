package io.teff.cluster.terminal.local;

import org.jspecify.annotations.Nullable;

/** A command has failed; its message says why, and what to do. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the failure.
     *
     * @param message for people, one or more lines
     */
    public CommandFailure(String message) {
        super(message);
    }

    /**
     * Creates the failure.
     *
     * @param message for people, one or more lines
     * @param cause the reason, or null
     */
    public CommandFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
