package io.teff.engine.compute;

/**
 * Progress of a compute group.
 *
 * @param step number of the last step that has begun, from 1; 0 for none
 * @param task name of the task of this step; empty for none
 * @param workersDone workers that have ended this step, as far as the coordinator knows
 * @param workers number of workers
 * @param restarts how often a worker has begun a step anew
 */
public record GroupProgress(long step, String task, int workersDone, int workers, long restarts) {}
