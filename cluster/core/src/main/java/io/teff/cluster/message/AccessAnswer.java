package io.teff.cluster.message;

/**
 * The roles of a node.
 *
 * @param caller the asking process as the node knows it, for people
 * @param state roles and secret of the node, for people
 */
public record AccessAnswer(String caller, String state) {}
