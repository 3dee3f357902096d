package io.teff.cluster.client;

import io.teff.cluster.client.ClientSession.Turn;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one zone in a batch of changes. The entries are sent under one ticket until every entry has a result. For
 * one thread.
 */
final class Section {
    final int zone;
    /** Indexes in the batch. */
    final int[] entries;
    /** Null until the section is sent. */
    @Nullable Turn turn;
    /** Whether an attempt has left no answer. */
    boolean mayBeDone;

    Section(int zone, int[] entries) {
        this.zone = zone;
        this.entries = entries;
    }

    /** Frees the slot of the ticket. */
    void end() {
        final Turn of = turn;
        turn = null;
        if (of != null) {
            of.end();
        }
    }
}
