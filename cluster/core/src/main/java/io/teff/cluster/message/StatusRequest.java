package io.teff.cluster.message;

/**
 * Asks a node for its status.
 *
 * @param withZones whether the status lists each zone
 */
public record StatusRequest(boolean withZones) {}
