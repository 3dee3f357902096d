package io.teff.cluster.service;

import java.util.Optional;

/** An election: one process at a time leads. The candidates lead in the order of their candidacies. */
public interface Election {

    /**
     * The leader.
     *
     * @param token of the leadership
     * @param value that the leader has named
     */
    record Leader(long token, byte[] value) {}

    /**
     * Runs for leadership, and waits for it.
     *
     * @param value that others read of the leader, such as its address; at most 1,024 bytes
     * @param timeoutNs longest wait in nanoseconds
     * @return the leadership, to be closed to resign; empty if another process leads for so long
     * @throws IllegalArgumentException if the value is too long
     */
    Optional<Hold> lead(byte[] value, long timeoutNs);

    /** {@return the leader, or empty if no process leads} */
    Optional<Leader> leader();

    /**
     * Waits until the leader is another one.
     *
     * @param token of the known leader, or 0 for none
     * @param timeoutNs longest wait in nanoseconds
     * @return the leader with another token, or the same leader after a vain wait; empty if no process leads
     */
    Optional<Leader> leaderAfter(long token, long timeoutNs);
}
