package io.teff.graph.cluster;

import io.teff.engine.compute.GroupOptions;
import java.util.Objects;

/**
 * How algorithms run on a parted graph. Immutable.
 *
 * @param onLoss what happens if the node of a worker ends
 * @param workers number of workers; 0 for one for each zone of a cluster, or for each processor of a store of this JVM
 * @param stepTimeoutNs longest time of a superstep in nanoseconds
 * @param inboxBytesMax most bytes of messages that wait for a worker
 */
public record RunOptions(OnWorkerLoss onLoss, int workers, long stepTimeoutNs, long inboxBytesMax) {
    /** A lost worker begins the run anew; five minutes for a superstep, 256 MiB of waiting messages for a worker. */
    public static final RunOptions DEFAULT = new RunOptions(OnWorkerLoss.RESTART_RUN, 0,
        GroupOptions.DEFAULT.stepTimeoutNs(), 256L << 20);

    /** Policy for the end of a worker's node. */
    public enum OnWorkerLoss {
        /** The run ends with a {@link io.teff.engine.compute.JobException} of the reason LOST. */
        FAIL,
        /** The run begins anew with the owners of then. Costs nothing before a loss. */
        RESTART_RUN,
        /**
         * The lost worker alone runs its superstep again, at the next owner of its zone. Each superstep saves the
         * states in the zones, and each message is kept at two nodes.
         */
        RESTART_STEP
    }

    /**
     * Checks the numbers.
     *
     * @throws IllegalArgumentException if a number is out of range
     */
    public RunOptions {
        Objects.requireNonNull(onLoss);
        if (workers < 0 || workers > GroupOptions.WORKERS_MAX || stepTimeoutNs < 1 || inboxBytesMax < 1) {
            throw new IllegalArgumentException("workers=" + workers + " stepTimeoutNs=" + stepTimeoutNs
                + " inboxBytesMax=" + inboxBytesMax);
        }
    }

    /**
     * {@return these options with another way to go on if the node of a worker ends}
     *
     * @param value what happens
     */
    public RunOptions onLoss(OnWorkerLoss value) {
        return new RunOptions(value, workers, stepTimeoutNs, inboxBytesMax);
    }

    /**
     * {@return these options with another number of workers}
     *
     * @param count 0 for one for each zone of a cluster, or for each processor of a store of this JVM
     */
    public RunOptions workers(int count) {
        return new RunOptions(onLoss, count, stepTimeoutNs, inboxBytesMax);
    }

    /**
     * {@return these options with another time of a superstep}
     *
     * @param ns longest time in nanoseconds
     */
    public RunOptions stepTimeoutNs(long ns) {
        return new RunOptions(onLoss, workers, ns, inboxBytesMax);
    }

    /**
     * {@return these options with another bound of waiting messages}
     *
     * @param bytes most bytes of messages that wait for a worker
     */
    public RunOptions inboxBytesMax(long bytes) {
        return new RunOptions(onLoss, workers, stepTimeoutNs, bytes);
    }
}
