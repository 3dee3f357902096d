package io.teff.engine.zone;

import io.teff.engine.lock.Holder;
import org.jspecify.annotations.Nullable;

/**
 * A holder of locks of chunks outside of this process. The calling thread acts for a holder between {@link #act} and
 * {@link #rest}: in between, the thread takes, releases and passes locks of the holder. Thread-safe.
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
        this(new Holder(name));
    }

    private RemoteHolder(Holder holder) {
        this.holder = holder;
    }

    /**
     * {@return the holder for which the calling thread acts, which is equal each time; or null} For stores that keep
     * locks of their own.
     */
    public static @Nullable RemoteHolder acting() {
        final Holder acting = Holder.acting();
        return acting == null ? null : new RemoteHolder(acting);
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
     * Ends the holder. Unreleased locks count as locks of an ended thread: such locks stay, but do not delay the return
     * of the memory of a dropped zone. Idempotent.
     */
    public void end() {
        holder.end();
    }

    /** {@return whether both are one holder} */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RemoteHolder it && it.holder == holder;
    }

    /** {@return the hash code of the holder} */
    @Override
    public int hashCode() {
        return holder.hashCode();
    }

    /** {@return its name} */
    @Override
    public String toString() {
        return holder.toString();
    }
}
