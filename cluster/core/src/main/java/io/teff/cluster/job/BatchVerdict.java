package io.teff.cluster.job;

/**
 * Outcome of a batch.
 *
 * @param code one of the codes below
 */
public record BatchVerdict(int code) {
    /** The receiver has the batch, or a later attempt of the sender. */
    public static final int TAKEN = 0;
    /** The receiver has too many messages. */
    public static final int FULL = 1;
    /** The group has ended at the receiver. */
    public static final int ENDED = 2;
}
