package io.teff.engine.compute;

import java.util.concurrent.TimeUnit;

/**
 * How a job runs. Immutable.
 *
 * @param priority among the waiting jobs of a node
 * @param timeoutNs longest time until the result in nanoseconds, from 1; all runs of a job share this time
 * @param onLoss what happens if the node of the job ends
 * @param isOnce whether the changes of the job are made once even if the job runs more than once
 */
public record JobOptions(JobPriority priority, long timeoutNs, OnLoss onLoss, boolean isOnce) {
    /** Normal priority, one minute, runs again, changes without a ticket. */
    public static final JobOptions DEFAULT = new JobOptions(JobPriority.NORMAL, TimeUnit.MINUTES.toNanos(1),
        OnLoss.RUN_AGAIN, false);
    /** Most bytes of the result of a job whose changes are made once: 1 KiB. */
    public static final int ONCE_RESULT_BYTES_MAX = 1024;

    /**
     * Checks the time.
     *
     * @throws IllegalArgumentException if the time is not positive
     */
    public JobOptions {
        if (timeoutNs < 1) {
            throw new IllegalArgumentException("timeoutNs=" + timeoutNs);
        }
    }

    /**
     * {@return these options with another priority}
     *
     * @param value the priority among the waiting jobs of a node
     */
    public JobOptions priority(JobPriority value) {
        return new JobOptions(value, timeoutNs, onLoss, isOnce);
    }

    /**
     * {@return these options with another time, in nanoseconds}
     *
     * @param ns from the call to the end of the future, in nanoseconds, from 1
     */
    public JobOptions timeoutNs(long ns) {
        return new JobOptions(priority, ns, onLoss, isOnce);
    }

    /**
     * {@return these options with another way to go on if the node of the job ends}
     *
     * @param value whether the job runs again
     */
    public JobOptions onLoss(OnLoss value) {
        return new JobOptions(priority, timeoutNs, value, isOnce);
    }

    /**
     * Returns options with a ticket for the changes of the job. The owner keeps the ticket with the changes and the
     * result. A run that comes later gets this result, and changes nothing. The job needs a chunk or a zone as its
     * target, its changes are made in this zone, and the result has at most {@value #ONCE_RESULT_BYTES_MAX} bytes.
     *
     * @return these options with a ticket
     */
    public JobOptions once() {
        return new JobOptions(priority, timeoutNs, onLoss, true);
    }
}
