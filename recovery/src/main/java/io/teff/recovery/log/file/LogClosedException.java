package io.teff.recovery.log.file;

import io.teff.engine.os.FailureText;
import org.jspecify.annotations.Nullable;

/** The log accepts no changes any more: the log was closed, or a failure of the disk has closed the log. */
public final class LogClosedException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception; each thread gets its own.
     *
     * @param cause the first failure, or null if the user has closed the log
     */
    public LogClosedException(@Nullable Throwable cause) {
        super(cause == null ? "the log is closed" : "the log is closed because it has failed: "
            + FailureText.of(cause), cause);
    }
}
