package io.teff.cluster.message;

/**
 * A superpeer asks another superpeer whether the cell exists, and for a part of the log to copy.
 *
 * @param superpeer number of the asking superpeer
 */
public record PartRequest(int superpeer) {}
