package io.teff.recovery.disk;

import java.io.IOException;
import java.nio.file.Path;

/** Somebody else has a lock. */
public final class LockedException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Makes the exception.
     *
     * @param path of the lock
     * @param holder who has it, as it says itself
     */
    public LockedException(Path path, String holder) {
        super(path + " is locked by " + (holder.isBlank() ? "somebody" : holder));
    }
}
