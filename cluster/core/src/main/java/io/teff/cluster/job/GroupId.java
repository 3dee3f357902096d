package io.teff.cluster.job;

/**
 * Names a compute group. Drawn by lot by the coordinator.
 *
 * @param high upper 64 bits
 * @param low lower 64 bits
 */
public record GroupId(long high, long low) {}
