package io.teff.engine.error;

/**
 * Results of operations that did not do their work: small negative numbers, with the same meaning in all operations.
 *
 * <p>After a failure, an operation that returns a length, a count or a CID returns one of these constants instead. No
 * valid result is equal to one of them; {@link #isStatus} distinguishes them.
 */
public final class Status {
    /** The operation was done. */
    public static final int OK = 0;
    /** The chunk does not exist: it was never created, was removed, or is only reserved. */
    public static final int ABSENT = -1;
    /** Another thread held a lock on the chunk until the timeout expired. */
    public static final int LOCKED = -2;
    /** The memory limit is reached; nothing was changed. */
    public static final int FULL = -3;
    /** The chunk is pinned, so it cannot be removed or resized now. */
    public static final int PINNED = -4;
    /** The chunk is read-only. */
    public static final int READ_ONLY = -5;
    /** The chunk does not fit into the target. */
    public static final int TOO_SMALL = -6;
    /** The range is not inside the chunk. */
    public static final int OUT_OF_RANGE = -7;
    /** The CID is in use, or was issued before. */
    public static final int EXISTS = -8;
    /** The calling thread does not hold the lock or pin that the operation needs. */
    public static final int NOT_HELD = -9;

    private static final String[] NAMES = {"OK", "ABSENT", "LOCKED", "FULL", "PINNED", "READ_ONLY", "TOO_SMALL",
        "OUT_OF_RANGE", "EXISTS", "NOT_HELD"};

    private Status() {}

    /**
     * Returns whether a result is a status and not a length, count or CID.
     *
     * @param result result of an operation
     * @return whether it is one of the negative constants of this class
     */
    public static boolean isStatus(long result) {
        return result < 0 && result > -NAMES.length;
    }

    /**
     * Returns the name of a status.
     *
     * @param result result of an operation
     * @return name of the constant; "OK" if the result is not a status
     */
    public static String name(long result) {
        return isStatus(result) ? NAMES[(int) -result] : NAMES[0];
    }
}
