package io.teff.cluster.message;

/**
 * A client or peer asks a superpeer for the addresses of all superpeers.
 *
 * @param known number of addresses known to the sender
 */
public record SuperpeersRequest(int known) {}
