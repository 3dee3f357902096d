package io.teff.cluster.message;

import org.jspecify.annotations.Nullable;

/**
 * Whether a superpeer has had a part in the cell, and what of the log it can give.
 *
 * @param hasPart whether its folder has a part of the cell's log, or is about to get it: then the cell exists
 * @param origin from where the log can be copied; null while the superpeer has no snapshot
 */
public record PartAnswer(boolean hasPart, @Nullable LogOrigin origin) {}
