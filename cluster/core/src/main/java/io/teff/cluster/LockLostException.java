package io.teff.cluster;

import java.io.Serial;

/**
 * The calling thread holds the lock of a chunk no longer, although it has not released it: the owner of the chunk has
 * not heard of this client for the lock's lease, or the client's session was lost. The operation had no effect, and
 * never will have one. Each further operation of the thread on the chunk throws this exception, too, until the thread
 * calls {@link io.teff.engine.LockOperations#unlock}: so what it believes to do under the lock is never done without.
 */
public final class LockLostException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param message which lock
     */
    public LockLostException(String message) {
        super(message);
    }
}
