package io.teff.recovery;

import org.jspecify.annotations.Nullable;

/**
 * State of a durable store: whether the store accepts changes, and the reason if not.
 *
 * @param state whether changes are accepted
 * @param pendingBytes bytes of changes that are not on the device yet and would be lost in a power cut
 * @param lastFailure the last failure of a write or sync of the log, a full disk included, even if it has passed; null
 *     if there was none since the store was opened
 */
public record DurableHealth(State state, long pendingBytes, @Nullable String lastFailure) {
    /** Whether changes are accepted. */
    public enum State {
        /** Changes are accepted. */
        WRITABLE,
        /**
         * The disk is full. Changes are accepted while the write buffer has room; then changes and waits for the
         * device throw an exception of category DEGRADED. The log retries continuously and resumes by itself.
         */
        FULL,
        /** A write or sync has failed. Changes throw an exception of category FATAL until the store is opened again. */
        FAILED,
        /** The store was closed. */
        CLOSED
    }
}
