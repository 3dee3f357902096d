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
        /**
         * The time was over before the job has begun: the job has changed nothing, and does not run any more. A step of
         * a group may have begun, and runs until it sees that it is cancelled.
         */
        TIMED_OUT,
        /** The caller has as many jobs under way as are allowed, or the node has no room for a waiting job. */
        BUSY,
        /** There is no such zone or node, or a chunk of the job is of another zone. */
        REFUSED,
        /** The group or its step was cancelled, or the owner has seen that the job was cancelled. */
        CANCELLED,
        /**
         * The time was over after the job may have begun, or the cluster has not heard from the client for too long.
         * The job has made its changes, has made no changes, or makes them until the time is over at the owner.
         */
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
