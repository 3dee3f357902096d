package io.teff.cluster.service;

import java.util.Optional;

/**
 * A watch of names: each change of a name with the prefix, in order, once. A watcher that was away for a time
 * continues where it was. If the superpeers do not have all changes any more, the watcher gets a {@link Gap}, reads the
 * names, and continues. No change is left out without a gap. For one thread at a time.
 */
public interface Watch {

    /** An event. */
    sealed interface Event {
        /** {@return the revision of the event; a new watch may begin here} */
        long revision();
    }

    /**
     * A name has a new value.
     *
     * @param name that was changed
     * @param value its new bytes
     * @param revision version of the name
     */
    record Put(String name, byte[] value, long revision) implements Event {}

    /**
     * A name was removed.
     *
     * @param name that was changed
     * @param revision of the removal
     */
    record Removed(String name, long revision) implements Event {}

    /**
     * Changes may be missing: the watcher reads all names whose changes matter. The watch continues behind the revision
     * of the gap, so the read shows each change up to there.
     *
     * @param revision of the gap
     */
    record Gap(long revision) implements Event {}

    /**
     * Waits for the next event.
     *
     * @param timeoutNs longest wait in nanoseconds
     * @return the event; empty after a vain wait
     */
    Optional<Event> next(long timeoutNs);
}
