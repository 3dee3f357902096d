package io.teff.cluster.message;

/**
 * A superpeer with an empty folder asks another one whether the cell exists.
 *
 * @param superpeer number of the superpeer that asks
 */
public record PartRequest(int superpeer) {}
