package io.teff.engine.compute;

import java.util.concurrent.TimeUnit;

/**
 * How a compute group works. Immutable.
 *
 * @param workers number of workers; 0 for one worker for each zone of a cluster, or for each processor of a store of
 *     this JVM
 * @param stepTimeoutNs longest time of a step in nanoseconds, from 1
 * @param onLoss what happens if the node of a worker ends
 * @param inboxBytesMax most bytes of messages that wait for a worker; more messages fail the step of their sender
 */
public record GroupOptions(int workers, long stepTimeoutNs, OnLoss onLoss, long inboxBytesMax) {
    /** Most workers of a group. */
    public static final int WORKERS_MAX = 65_536;
    /** A worker for each zone, five minutes for a step, a lost worker fails the step, 64 MiB of waiting messages. */
    public static final GroupOptions DEFAULT = new GroupOptions(0, TimeUnit.MINUTES.toNanos(5), OnLoss.FAIL, 64L << 20);

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public GroupOptions {
        if (workers < 0 || workers > WORKERS_MAX || stepTimeoutNs < 1 || inboxBytesMax < 1) {
            throw new IllegalArgumentException("workers=" + workers + " stepTimeoutNs=" + stepTimeoutNs
                + " inboxBytesMax=" + inboxBytesMax);
        }
    }

    /**
     * {@return these options with another number of workers}
     *
     * @param count 0 for a worker of each zone; at most {@link #WORKERS_MAX}
     */
    public GroupOptions workers(int count) {
        return new GroupOptions(count, stepTimeoutNs, onLoss, inboxBytesMax);
    }

    /**
     * {@return these options with another time of a step, in nanoseconds}
     *
     * @param ns longest time of a step in nanoseconds, from 1
     */
    public GroupOptions stepTimeoutNs(long ns) {
        return new GroupOptions(workers, ns, onLoss, inboxBytesMax);
    }

    /**
     * Returns options with another way to go on if the node of a worker ends. With {@link OnLoss#RUN_AGAIN} each
     * message is kept at two nodes, and the step of a lost worker runs again at the next owner of its zone. A second
     * loss of the same messages fails the step.
     *
     * @param value what happens
     * @return these options with the other way
     */
    public GroupOptions onLoss(OnLoss value) {
        return new GroupOptions(workers, stepTimeoutNs, value, inboxBytesMax);
    }

    /**
     * {@return these options with another bound of waiting messages, in bytes}
     *
     * @param bytes most bytes of messages that wait for a worker, from 1
     */
    public GroupOptions inboxBytesMax(long bytes) {
        return new GroupOptions(workers, stepTimeoutNs, onLoss, bytes);
    }
}
