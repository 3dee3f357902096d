package io.teff.cluster.message;

/**
 * Asks a superpeer for rows of its tables.
 *
 * @param since version of the node's tables; 0 for all rows
 */
public record TableRequest(long since) {}
