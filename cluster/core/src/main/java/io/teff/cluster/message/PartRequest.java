package io.teff.cluster.message;

/**
 * A superpeer asks another one whether the cell exists, and what of the log it can give.
 *
 * @param superpeer number of the superpeer that asks
 */
public record PartRequest(int superpeer) {}
