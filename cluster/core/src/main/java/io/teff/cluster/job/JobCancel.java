package io.teff.cluster.job;

/**
 * The client of a job waits no longer.
 *
 * @param id number of the job at its client
 */
public record JobCancel(long id) {}
