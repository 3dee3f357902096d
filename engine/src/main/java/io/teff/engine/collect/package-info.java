/**
 * Collections that lie in a store's chunks: maps, sets, lists and queues with the contracts of {@code java.util}.
 *
 * <p><b>Promise.</b> Everything that the interfaces of {@code java.util} and {@code java.util.concurrent} promise, for
 * any number of threads; iteration that never fails; growth and shrinking in small steps, without a size to be given
 * first; sizes as {@code long}. An object is copied in and out: what happens to it outside does not matter to the
 * collection. Null is refused everywhere. <b>Names.</b> A collection has a name in its store and is found by it again
 * after a restore. {@code docs/COLLECTIONS.md} says how they lie in chunks.
 *
 * <p><b>Neighbours.</b> Keys, values and elements become bytes by a {@link io.teff.engine.codec.Codec}. <b>Start
 * here.</b> {@link io.teff.engine.Store#map} opens a {@link io.teff.engine.collect.ChunkMap}.
 */
@NullMarked
package io.teff.engine.collect;

import org.jspecify.annotations.NullMarked;
