package io.teff.cluster.message;

/**
 * A client or peer asks a superpeer for the addresses of all superpeers.
 *
 * @param known number of addresses that it has
 */
public record SuperpeersRequest(int known) {}
