package io.teff.cluster.message;

/**
 * Asks a node for its status.
 *
 * @param withZones whether the zones are listed one by one
 */
public record StatusRequest(boolean withZones) {}
