package io.teff.cluster.terminal.local;

import org.jspecify.annotations.Nullable;

/** A command has failed; the message has the reason, and the remedy. */
public final class CommandFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the failure.
     *
     * @param message text for users, of one or more lines
     */
    public CommandFailure(String message) {
        super(message);
    }

    /**
     * Creates the failure.
     *
     * @param message text for users, of one or more lines
     * @param cause the reason, or null
     */
    public CommandFailure(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
