package io.teff.recovery;

import org.jspecify.annotations.Nullable;

/**
 * Whether a durable store takes changes, and if not, why.
 *
 * @param state whether it does
 * @param pendingBytes bytes of changes that are not on the device yet: what a power cut may take now
 * @param lastFailure what the disk has said when a write or sync of the log has failed or found no room last, also if
 *     that is over; null if none has since the store was opened
 */
public record DurableHealth(State state, long pendingBytes, @Nullable String lastFailure) {
    /** Whether changes are taken. */
    public enum State {
        /** They are. */
        WRITABLE,
        /**
         * The disk is full. Changes are taken while the write buffer has room, then throw an exception of category
         * DEGRADED, and so does who waits for the device. It is tried again all the time, and goes on by itself.
         */
        FULL,
        /** A write or sync has failed: changes throw an exception of category FATAL until the store is opened again. */
        FAILED,
        /** The store was closed. */
        CLOSED
    }
}
