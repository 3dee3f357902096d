package io.teff.recovery.log.file;

import org.jspecify.annotations.Nullable;

/** The log takes nothing any more: it was closed, or a failure of the disk has closed it. */
public final class LogClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception, one for each who gets it.
     *
     * @param cause what has gone wrong first, or null if the log was closed by its user
     */
    public LogClosedException(@Nullable Throwable cause) {
        super(cause == null ? "the log is closed" : "the log is closed because it has failed: "
            + cause.getMessage(), cause);
    }
}
