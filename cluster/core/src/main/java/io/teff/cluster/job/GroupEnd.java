package io.teff.cluster.job;

/**
 * A group has ended, or is cancelled: its tasks are to stop, and its messages are worthless.
 *
 * @param group names the group
 */
public record GroupEnd(GroupId group) {}
