package io.teff.cluster.message;

import java.util.List;

/**
 * The recordings from which another superpeer can copy entries missing in its replicated log: the recordings of a
 * member's archive.
 *
 * @param first first position of the log still present in the archive
 * @param log recording of the log
 * @param terms the terms of leaders, in order
 * @param snapshot the last snapshot
 */
public record LogOrigin(long first, long log, List<Term> terms, Snapshot snapshot) {
    /**
     * The term of a leader.
     *
     * @param id number of the term
     * @param base first position of the term in the log
     * @param end last position of the term, or -1 for the current term
     * @param timestamp begin of the term, as recorded in the log
     */
    public record Term(long id, long base, long end, long timestamp) {}

    /**
     * A snapshot.
     *
     * @param term term in which the snapshot was taken
     * @param base first position of the term
     * @param position position in the log: the snapshot has everything in front of this position
     * @param timestamp time of the snapshot, as recorded in the log
     * @param module recording of the consensus module's state
     * @param service recording of the metadata
     */
    public record Snapshot(long term, long base, long position, long timestamp, long module, long service) {}

    /** Copies the list. */
    public LogOrigin {
        terms = List.copyOf(terms);
    }
}
