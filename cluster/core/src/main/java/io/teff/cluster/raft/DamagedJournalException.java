package io.teff.cluster.raft;

import java.io.IOException;

/** Thrown when the journal of a member cannot be trusted: the member could forget a vote or an acknowledged entry. */
final class DamagedJournalException extends IOException {
    private static final long serialVersionUID = 1;

    DamagedJournalException(String message) {
        super(message);
    }

    DamagedJournalException(String message, RuntimeException cause) {
        super(message, cause);
    }
}
