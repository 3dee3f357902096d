package io.teff.engine.zone;

import io.teff.engine.lock.Holder;

/**
 * Someone outside of this process who holds locks of chunks. The calling thread acts for a holder between {@link #act}
 * and {@link #rest}: locks that it takes and releases then, and operations that pass them, are those of the holder.
 * Thread-safe.
 *
 * <p>Nothing in this process waits for the lock of a holder: operations that it delays are LOCKED at once.
 */
public final class RemoteHolder {
    private final Holder holder;

    /**
     * Makes a holder without locks.
     *
     * @param name for people
     */
    public RemoteHolder(String name) {
        holder = new Holder(name);
    }

    /** Lets the calling thread act for this holder, until {@link #rest}. */
    public void act() {
        holder.act();
    }

    /** Lets the calling thread act for itself again. */
    public static void rest() {
        Holder.rest();
    }

    /**
     * Ends the holder. Locks that it has not released count as those of a thread that has ended: they stay, but do not
     * delay the return of the memory of a dropped zone. Idempotent.
     */
    public void end() {
        holder.end();
    }
}
