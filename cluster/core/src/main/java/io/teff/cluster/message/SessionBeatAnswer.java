package io.teff.cluster.message;

/**
 * A superpeer's answer to a client.
 *
 * @param session number of the session
 * @param hasEnded whether the session has ended, so that the client needs a new session
 */
public record SessionBeatAnswer(int session, boolean hasEnded) {}
