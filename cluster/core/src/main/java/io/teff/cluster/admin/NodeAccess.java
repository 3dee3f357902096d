package io.teff.cluster.admin;

/**
 * The roles of a node, as the node itself says.
 *
 * @param life the node
 * @param caller the asking process as the node knows it: a principal with its roles, or the secret of the cluster
 * @param state roles and secret of the node, for people
 */
public record NodeAccess(NodeLife life, String caller, String state) {}
