package io.teff.cluster.message;

/**
 * An order to a node to end in order, because its process is started again.
 *
 * @param process number of the process that is to end; a later process of the node refuses the order
 */
public record RestartRequest(long process) {}
