package io.teff.cluster.job;

/**
 * A call of a job.
 *
 * @param id number of the job at its client
 * @param zone zone of the job; 0 for none
 * @param cid chunk of the job; 0 for none
 * @param priority number of the priority
 * @param timeoutNs time that is left
 * @param attempt 1 for the first run
 * @param session session of the client; 0 for changes without a ticket
 * @param ticket of the changes
 * @param level number of the level of the changes
 * @param name of the job
 * @param argument for the job
 */
public record JobRequest(long id, int zone, long cid, int priority, long timeoutNs, int attempt, int session,
                         long ticket, int level, String name, byte[] argument) {}
