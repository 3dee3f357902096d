package io.teff.cluster.job;

import io.teff.engine.compute.GroupOptions;
import io.teff.engine.compute.Reduction;
import java.util.Arrays;
import java.util.List;

/**
 * A step of a group, for a node and the nodes below it.
 *
 * @param group names the group
 * @param step number of the step, from 1
 * @param round number of the round in the step, from 1: the attempt of the workers that run in it
 * @param timeoutNs time that is left
 * @param inboxBytesMax most bytes of messages that wait for a worker
 * @param task name of the task
 * @param argument for all workers
 * @param reduction number of the reduction
 * @param reduced reduced numbers of the last step with a reduction
 * @param map where the workers are
 * @param places workers to run, by node: the receiver's own place first, then those below
 */
public record StepRequest(GroupId group, long step, int round, long timeoutNs, long inboxBytesMax, String task,
                          byte[] argument, int reduction, long[] reduced, WorkerMap map, List<Place> places) {
    /** Longest time of a step. */
    private static final long TIMEOUT_NS_MAX = Long.MAX_VALUE / 4;

    /** Copies the list. */
    public StepRequest {
        places = List.copyOf(places);
    }

    /**
     * The workers of a node.
     *
     * @param nid the node
     * @param incarnation the life of the node
     * @param workers the workers to run there
     */
    public record Place(int nid, int incarnation, int[] workers) {}

    /** Returns whether the parts of the step agree: each named worker is in the map. */
    boolean isValid() {
        final int workers = map.workers();
        return workers <= GroupOptions.WORKERS_MAX && map.isWhole() && step > 0 && round > 0 && timeoutNs > 0
            && timeoutNs <= TIMEOUT_NS_MAX && inboxBytesMax > 0 && reduction >= 0
            && reduction < Reduction.values().length && places.stream().flatMapToInt(place -> Arrays.stream(
                place.workers)).allMatch(worker -> worker >= 0 && worker < workers);
    }

    /** {@return the same step for other places} */
    StepRequest at(List<Place> others, long leftNs) {
        return new StepRequest(group, step, round, leftNs, inboxBytesMax, task, argument, reduction, reduced, map,
            others);
    }
}
