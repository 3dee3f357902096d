package io.teff.engine.error;

/**
 * What an operation returns when it did not do its work: small negative numbers, the same everywhere.
 *
 * <p>An operation that returns a length or a count returns one of these instead when it is negative. An operation that
 * returns a CID does too; no CID looks like a status ({@link #isStatus}).
 */
public final class Status {
    /** Done. */
    public static final int OK = 0;
    /** There is no such chunk: never created, removed, or only reserved. */
    public static final int ABSENT = -1;
    /** Another thread held a lock on the chunk until the timeout was over. */
    public static final int LOCKED = -2;
    /** The memory limit is reached; nothing was changed. */
    public static final int FULL = -3;
    /** The chunk is pinned: it cannot be removed or change its length now. */
    public static final int PINNED = -4;
    /** The chunk is read-only. */
    public static final int READ_ONLY = -5;
    /** The chunk does not fit into the target. */
    public static final int TOO_SMALL = -6;
    /** The range does not lie inside of the chunk. */
    public static final int OUT_OF_RANGE = -7;
    /** The CID is in use, or was issued before. */
    public static final int EXISTS = -8;
    /** The calling thread does not hold the lock or pin that the operation needs. */
    public static final int NOT_HELD = -9;

    private static final String[] NAMES = {"OK", "ABSENT", "LOCKED", "FULL", "PINNED", "READ_ONLY", "TOO_SMALL",
        "OUT_OF_RANGE", "EXISTS", "NOT_HELD"};

    private Status() {}

    /**
     * Tells a status from a length, count or CID.
     *
     * @param result what an operation returned
     * @return whether it is one of the negative constants of this class
     */
    public static boolean isStatus(long result) {
        return result < 0 && result > -NAMES.length;
    }

    /**
     * The name of a status.
     *
     * @param result what an operation returned
     * @return the constant's name; "OK" for anything that is no status
     */
    public static String name(long result) {
        return isStatus(result) ? NAMES[(int) -result] : NAMES[0];
    }
}
