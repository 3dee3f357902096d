package io.teff.cluster.job;

/**
 * A batch of messages between workers.
 *
 * @param group names the group
 * @param step in which the receiver reads the batch
 * @param from worker that has sent the batch
 * @param round attempt of the sender
 * @param to worker that receives the batch
 * @param number of the batch in the attempt
 * @param inboxBytesMax most bytes of messages that wait for a worker
 * @param bytes the messages
 */
public record BatchRequest(GroupId group, long step, int from, int round, int to, int number, long inboxBytesMax,
                           byte[] bytes) {}
