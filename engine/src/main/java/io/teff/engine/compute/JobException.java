package io.teff.engine.compute;

import java.io.Serial;

/** A job, or a step of a compute group, has ended without a result. */
public final class JobException extends RuntimeException {
    /** Kinds of reasons. */
    public enum Reason {
        /** The node has no job or task of the name. The job has not run, and is not sent again. */
        UNKNOWN,
        /** The code of the job has thrown, or its result is too long. Nothing of this run was changed. */
        FAILED,
        /** The node of the job has ended. The job has run in part, to its end, or not at all. */
        LOST,
        /** The time is over. The job may run until it sees that it is cancelled. */
        TIMED_OUT,
        /** The caller has as many jobs under way as are allowed, or the node has no room for a waiting job. */
        BUSY,
        /** There is no such zone or node, or a chunk of the job is of another zone. */
        REFUSED,
        /** The group or its step was cancelled. */
        CANCELLED,
        /** The outcome of a job with changes is unknown: the cluster has not heard from the client for too long. */
        UNKNOWN_OUTCOME,
        /** The store was closed. */
        CLOSED
    }

    @Serial
    private static final long serialVersionUID = 1;

    /** Why the job has failed. */
    private final Reason reason;

    /**
     * Makes an exception.
     *
     * @param reason the kind of reason
     * @param message naming the job, and what has happened
     */
    public JobException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    /** {@return the kind of reason} */
    public Reason reason() {
        return reason;
    }
}
