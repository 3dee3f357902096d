package io.teff.cluster.message;

import java.util.List;

/**
 * From where another superpeer can copy what it lacks of the replicated log: the recordings of a member's archive.
 *
 * @param first first position of the log that the archive still has
 * @param log recording of the log
 * @param terms the terms of leaders, in their order
 * @param snapshot the last snapshot
 */
public record LogOrigin(long first, long log, List<Term> terms, Snapshot snapshot) {
    /**
     * The term of a leader.
     *
     * @param id number of the term
     * @param base first position of the term in the log
     * @param end its last position, or -1 while it goes on
     * @param timestamp when it has begun, as the log has it
     */
    public record Term(long id, long base, long end, long timestamp) {}

    /**
     * A snapshot.
     *
     * @param term term in which it was taken
     * @param base first position of the term
     * @param position position in the log: it has everything in front of this
     * @param timestamp when it was taken, as the log has it
     * @param module recording of what the consensus module has
     * @param service recording of the metadata
     */
    public record Snapshot(long term, long base, long position, long timestamp, long module, long service) {}

    /** Copies the list. */
    public LogOrigin {
        terms = List.copyOf(terms);
    }
}
