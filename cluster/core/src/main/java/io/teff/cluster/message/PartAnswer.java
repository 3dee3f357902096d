package io.teff.cluster.message;

import org.jspecify.annotations.Nullable;

/**
 * Whether a superpeer took part in the cell, and the part of the log offered for a copy.
 *
 * @param hasPart whether the superpeer's folder has a part of the cell's log, or is about to get a part: then the cell
 *     exists
 * @param origin from where the log can be copied; null while the superpeer has no snapshot
 */
public record PartAnswer(boolean hasPart, @Nullable LogOrigin origin) {}
