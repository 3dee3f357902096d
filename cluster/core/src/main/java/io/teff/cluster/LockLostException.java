package io.teff.cluster;

import java.io.Serial;

/**
 * The calling thread does not hold the lock of a chunk any more, although the thread has not released the lock: the
 * owner of the chunk has not heard of this client for the lock's lease, or the client's session was lost. The operation
 * had no effect, and never will have an effect. Each further operation of the thread on the chunk throws this
 * exception, too, until the thread calls {@link io.teff.engine.LockOperations#unlock}: so no operation meant to run
 * under the lock ever runs without the lock.
 */
public final class LockLostException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param message naming the lock
     */
    public LockLostException(String message) {
        super(message);
    }
}
