package io.teff.cluster.service;

import java.io.Serial;

/**
 * This process may have lost the lock, permit or leadership: the superpeers have not answered a renewal for
 * the lease, the session has ended, or the hold was closed. Another process may hold it now.
 */
public final class HoldLostException extends IllegalStateException {
    @Serial
    private static final long serialVersionUID = 1;

    /**
     * Makes an exception.
     *
     * @param message naming what is lost
     */
    public HoldLostException(String message) {
        super(message);
    }
}
