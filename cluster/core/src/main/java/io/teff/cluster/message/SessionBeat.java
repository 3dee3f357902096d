package io.teff.cluster.message;

/**
 * A client reports that its session continues.
 *
 * @param session number of the session
 */
public record SessionBeat(int session) {}
