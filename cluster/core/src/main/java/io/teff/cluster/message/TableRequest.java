package io.teff.cluster.message;

/**
 * Asks a superpeer for rows of its tables.
 *
 * @param since version of the tables that the node has; 0 for all rows
 */
public record TableRequest(long since) {}
