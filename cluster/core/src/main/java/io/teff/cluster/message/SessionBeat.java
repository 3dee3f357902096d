package io.teff.cluster.message;

/**
 * A client says that its session goes on.
 *
 * @param session number of the session
 */
public record SessionBeat(int session) {}
