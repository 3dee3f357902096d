package io.teff.cluster.service;

/**
 * Something that this process holds: a lock, a leadership, permits. Thread-safe; any thread may close it.
 *
 * <p><b>Tokens.</b> {@link #token} is a number of the superpeers' replicated log. A later hold of the name has a higher
 * token. A resource keeps the highest token, and refuses lower tokens. Such a resource is changed by the newest
 * holder alone, also if an earlier holder was stopped between {@link #check} and its change.
 */
public interface Hold extends AutoCloseable {

    /** {@return name of what is held} */
    String name();

    /** {@return the token of the hold} */
    long token();

    /**
     * Returns whether this process certainly holds it now: it was not closed, and the lease, counted from the sending
     * of the last answered renewal, is not over by the monotonic clock nor by the wall clock. Costs no message. False
     * is not final before the session has ended: an answer to a renewal may come yet.
     *
     * @return whether it is held now
     */
    boolean isHeld();

    /**
     * Checks {@link #isHeld}.
     *
     * @throws HoldLostException if it is not certain that this process holds it
     */
    void check();

    /**
     * Frees it. Idempotent, and throws nothing if the superpeers cannot be reached within the deadline of the client:
     * then the client frees it later, at the latest by the end of its session.
     */
    @Override
    void close();
}
