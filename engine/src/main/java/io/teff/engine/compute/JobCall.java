package io.teff.engine.compute;

/**
 * A job of a batch.
 *
 * @param target where the job runs
 * @param job name of the job
 * @param argument for the job
 */
public record JobCall(JobTarget target, String job, byte[] argument) {}
