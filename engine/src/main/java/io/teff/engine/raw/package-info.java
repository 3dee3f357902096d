/**
 * Maps of a zone as maps of bytes, for the owner of a zone in a cluster: the owner has no codecs and no classes of the
 * application.
 *
 * <p><b>Promise.</b> A map is the hash map of {@link io.teff.engine.collect.ChunkMap}, chunk by chunk. All chunks that
 * one change of an entry changes are one group of the journal. A reader learns which chunks it has read, and has seen
 * no change that is not in the journal.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.zone} has the zones. This package is exported to the cluster;
 * applications do not see it. Start with {@link io.teff.engine.raw.RawMaps}.
 */
@NullMarked
package io.teff.engine.raw;

import org.jspecify.annotations.NullMarked;
