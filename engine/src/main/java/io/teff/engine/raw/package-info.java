/**
 * Collections of a zone as collections of bytes, for the owner of a zone in a cluster: the owner has no codecs and no
 * classes of the application.
 *
 * <p><b>Promise.</b> A map is the hash map of {@link io.teff.engine.collect.ChunkMap}, chunk by chunk. All chunks that
 * one change of an entry changes are one group of the journal. A reader learns which chunks it has read, and has seen
 * no change that is not in the journal. A queue, list or sorted map is the collection of the engine under one lock, and
 * each of its changes is one group.
 *
 * <p><b>Neighbours.</b> {@link io.teff.engine.zone} has the zones. This package is exported to the cluster;
 * applications do not see it. Start with {@link io.teff.engine.raw.RawMaps} and {@link
 * io.teff.engine.raw.RawCollections}.
 */
@NullMarked
package io.teff.engine.raw;

import org.jspecify.annotations.NullMarked;
