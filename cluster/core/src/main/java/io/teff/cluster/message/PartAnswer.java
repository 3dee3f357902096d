package io.teff.cluster.message;

/**
 * Whether a superpeer took part in a cell.
 *
 * @param hasPart whether the superpeer's folder has a part of a cell's log: then the cell exists
 */
public record PartAnswer(boolean hasPart) {}
