package io.teff.cluster.raft;

/** Content of a member's log, for {@link RaftFilter}. */
interface LogView {
    /** Returns the index of the last entry in the snapshot; 0 without a snapshot. */
    long snapshotIndex();

    /** Returns the term of the last entry in the snapshot; 0 without a snapshot. */
    int snapshotTerm();

    /** Returns the index of the first entry that the member can read; larger than the last index if there is none. */
    long firstIndex();

    /** Returns the index of the last entry, in the log or in the snapshot. */
    long lastIndex();

    /** Returns the term of an entry from {@link #firstIndex} to {@link #lastIndex}. */
    int term(long index);
}
