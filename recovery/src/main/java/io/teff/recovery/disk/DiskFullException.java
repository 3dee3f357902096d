package io.teff.recovery.disk;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** There is no room for what was to be written: on the device, or for this user. There may be some later. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message what was to be written where
     * @param cause what the system said, or null
     */
    public DiskFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
