package io.teff.engine.os;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** There is no room for a write, on the device or within the user's quota. There may be some later. */
public final class DiskFullException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param message names the file or the write that found no room
     * @param cause the system's failure, or null
     */
    public DiskFullException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
