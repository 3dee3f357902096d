package io.teff.cluster.job;

/**
 * Asks for a part of the messages of a worker, which moves to the asking node.
 *
 * @param incarnation life of the asked node that has the messages; a later life does not have them
 * @param group names the group
 * @param step in which the worker reads the messages
 * @param worker receiver of the messages
 * @param skip number of batches that the asking node has
 */
public record FetchRequest(int incarnation, GroupId group, long step, int worker, int skip) {}
