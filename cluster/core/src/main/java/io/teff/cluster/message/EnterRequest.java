package io.teff.cluster.message;

/**
 * A superpeer asks the leader to be taken into the cell, or whether it is a voter.
 *
 * @param superpeer number of the asking superpeer
 * @param birth random number of the superpeer's folder
 */
public record EnterRequest(int superpeer, long birth) {}
