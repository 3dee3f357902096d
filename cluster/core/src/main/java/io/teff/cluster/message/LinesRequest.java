package io.teff.cluster.message;

/**
 * Asks a node for the last lines of its log.
 *
 * @param lines most lines
 */
public record LinesRequest(int lines) {}
