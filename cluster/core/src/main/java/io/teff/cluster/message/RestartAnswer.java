package io.teff.cluster.message;

/**
 * The answer of a node to an order to restart.
 *
 * @param refusal why the node goes on, for people; empty if the node ends
 */
public record RestartAnswer(String refusal) {}
