package io.teff.cluster.message;

/**
 * A superpeer's answer to a heartbeat.
 *
 * @param superpeer number of the superpeer, from 0
 * @param number number of the heartbeat
 * @param isPromised whether the superpeer promises not to vote against the node for a term
 * @param isAlive whether the node's life counts, as far as the superpeer knows; once false, the node ends
 * @param isKnown whether the superpeer knows the life at all
 * @param tableVersion version of the superpeer's tables
 * @param isLeading whether the superpeer leads
 */
public record HeartbeatAnswer(int superpeer, long number, boolean isPromised, boolean isAlive, boolean isKnown,
                              long tableVersion, boolean isLeading) {}
