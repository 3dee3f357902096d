package io.teff.cluster.message;

/**
 * Asks a node for its roles, and for the rights of the asking process.
 *
 * @param version version of the question, 1
 */
public record AccessRequest(int version) {}
