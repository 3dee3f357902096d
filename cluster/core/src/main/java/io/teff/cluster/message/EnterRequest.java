package io.teff.cluster.message;

/**
 * A superpeer asks the leader to be taken into the cell, or whether it is a voter.
 *
 * @param superpeer number of the asking superpeer
 * @param birth random number of the superpeer's folder
 * @param cell number of the cell in the superpeer's folder; 0 if the folder is empty
 * @param address of the asking superpeer; another address than that in the tables is refused
 */
public record EnterRequest(int superpeer, long birth, long cell, String address) {}
