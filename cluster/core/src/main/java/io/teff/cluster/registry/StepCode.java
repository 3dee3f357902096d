package io.teff.cluster.registry;

/**
 * Codes of the steps of a registry, and of requests to a superpeer for the registry. The numbers are in the replicated
 * log: a number never changes, and a new code has a higher number than all codes of steps.
 */
public final class StepCode {
    /** Opens a session. First: random key; second: lease in milliseconds. Result: number of the session. */
    public static final int OPEN = 1;
    /** Ends the own session. */
    public static final int CLOSE = 2;
    /** Sessions have given a sign of life. Value: their numbers, 8 bytes each. */
    public static final int RENEW = 3;
    /** A session has given no sign of life for its lease. First: its number of renewals. */
    public static final int END = 4;
    /**
     * Gives a name a value. First: expected version, {@link #ANY}, or 0 for a new name; second: 1 to bind the name to
     * the session, else 0; third: time to live in milliseconds, or 0. Result: the version.
     */
    public static final int PUT = 5;
    /** Removes a name. First: expected version, or {@link #ANY}. */
    public static final int REMOVE = 6;
    /** Adds to a number of 8 bytes; a missing name counts as 0. First: summand. Result: the number before, version. */
    public static final int ADD = 7;
    /**
     * Takes a place in the queue of a name. First: permits of the queue; second: permits of the place; third:
     * {@link #BARRIER}, {@link #NO_WAIT} or 0. Result: number of the place, and its token if it is granted.
     */
    public static final int ENTER = 8;
    /**
     * Leaves a place. First: number of the place; second: 1 if a granted place stays, else 0. Result: second is the
     * token, 0 if the place was not granted.
     */
    public static final int LEAVE = 9;
    /** The time to live of a name is over. First: version of the name. */
    public static final int EXPIRE = 10;
    /** Changes nothing; by its place in the log, a read that follows is not older than the log. Result: revision. */
    public static final int LOOK = 11;
    /**
     * All later numbers are above First, as tokens and versions of a restored backup need it. Done only while there is
     * no name and no queue. Result: revision.
     */
    public static final int RAISE = 24;

    /** Reads a name. */
    public static final int GET = 32;
    /** Reads names with a prefix. First: most names. Value: the name behind which the list begins, in UTF-8. */
    public static final int LIST = 33;
    /** Waits for changes of names with a prefix. First: the last known revision. */
    public static final int WATCH = 34;
    /** Waits until a place is granted. First: number of the place. */
    public static final int AWAIT = 35;
    /** Reads the first holder of a queue; waits while its token is First. */
    public static final int HOLDER = 36;
    /** Reads the values of the places that were granted with a token, in their order. First: token. */
    public static final int VALUES = 37;
    /** A sign of life of a session. */
    public static final int BEAT = 38;

    /** Any version. */
    public static final long ANY = -1;
    /** Flag of {@link #ENTER}: the places are granted together when there are as many as permits. */
    public static final long BARRIER = 1;
    /** Flag of {@link #ENTER}: no place is left if it would wait. */
    public static final long NO_WAIT = 2;

    private static final int STEP_LAST = LOOK;

    private StepCode() {}

    /**
     * {@return whether a code is a step that a client may send}
     *
     * @param code any number
     */
    public static boolean isOfClients(int code) {
        return code == OPEN || code == CLOSE || code >= PUT && code <= LEAVE || code == RAISE;
    }

    /**
     * {@return whether a code is a step of the replicated log}
     *
     * @param code any number
     */
    public static boolean isStep(int code) {
        return code >= OPEN && code <= STEP_LAST || code == RAISE;
    }
}
