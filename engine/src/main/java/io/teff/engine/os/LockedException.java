package io.teff.engine.os;

import java.io.IOException;
import java.nio.file.Path;

/** Another owner has the lock of a file. */
public final class LockedException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param path of the locked file
     * @param holder the owner, as it named itself; may be blank
     */
    public LockedException(Path path, String holder) {
        super(path + " is locked by " + (holder.isBlank() ? "an unknown owner" : holder));
    }
}
