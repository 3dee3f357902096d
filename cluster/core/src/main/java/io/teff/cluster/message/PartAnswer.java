package io.teff.cluster.message;

/**
 * Whether a superpeer has had a part in the cell.
 *
 * @param hasPart whether its folder has a part of the cell's log, or is about to get it: then the cell exists
 */
public record PartAnswer(boolean hasPart) {}
