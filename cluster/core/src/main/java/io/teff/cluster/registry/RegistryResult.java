package io.teff.cluster.registry;

/**
 * Result of a step.
 *
 * @param code one of the constants
 * @param first a number, as {@link StepCode} says
 * @param second a number, as {@link StepCode} says
 */
public record RegistryResult(int code, long first, long second) {
    /** The step was done. */
    public static final int DONE = 0;
    /** Nothing was done: the version is another one. First: the present version, or 0. */
    public static final int MISMATCH = 1;
    /** Nothing was done: there is no such name or place. */
    public static final int ABSENT = 2;
    /** Nothing was done: a limit is reached. First: number of the limit, from {@link #LIMITS}. */
    public static final int FULL = 3;
    /** Nothing was done: the session has ended, or its slot has had a later step. */
    public static final int EXPIRED = 4;
    /** Nothing was done: the name has another kind. First: permits of the present queue. */
    public static final int MISFIT = 5;
    /** Nothing was done: an argument is out of range. */
    public static final int MALFORMED = 6;
    /** Nothing was done: the place would have to wait. */
    public static final int BUSY = 7;

    /** Texts of the limits, by their numbers. */
    public static final String[] LIMITS = {"", RegistryLimits.SESSIONS_MAX + " sessions of services are open",
        "the cluster has " + RegistryLimits.NAMES_MAX + " names",
        "the names and places of the cluster have " + RegistryLimits.BYTES_MAX + " bytes",
        "the names with a time to live have " + RegistryLimits.TEMPORARY_BYTES_MAX + " bytes",
        "the client has bound " + RegistryLimits.BOUND_MAX + " names",
        "the cluster has " + RegistryLimits.PLACES_MAX + " places in queues",
        "the queue has " + RegistryLimits.QUEUE_MAX + " places",
        "the client has " + RegistryLimits.HELD_MAX + " places in queues",
        "the client has its share of the names with a time to live"};

    static final int LIMIT_SESSIONS = 1;
    static final int LIMIT_NAMES = 2;
    static final int LIMIT_BYTES = 3;
    static final int LIMIT_TEMPORARY = 4;
    static final int LIMIT_BOUND = 5;
    static final int LIMIT_PLACES = 6;
    static final int LIMIT_QUEUE = 7;
    static final int LIMIT_HELD = 8;
    private static final int LIMIT_SHARE = 9;

    /** {@return the refusal of a name with a time to live beyond the share of a client; never in the replicated log} */
    public static RegistryResult overShare() {
        return full(LIMIT_SHARE);
    }

    static RegistryResult done(long first, long second) {
        return new RegistryResult(DONE, first, second);
    }

    static RegistryResult of(int code) {
        return new RegistryResult(code, 0, 0);
    }

    static RegistryResult full(int limit) {
        return new RegistryResult(FULL, limit, 0);
    }
}
