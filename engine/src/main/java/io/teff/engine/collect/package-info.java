/**
 * Interfaces of collections whose content is in chunks of a store: maps, sets, lists and queues.
 *
 * <p><b>Promise.</b> The contracts of the interfaces of {@code java.util} and {@code java.util.concurrent}, for any
 * number of threads. Iteration never fails. Collections grow and shrink in small steps, without an initial size; sizes
 * are of type {@code long}. Objects are copied in and out, so changing an object does not change the collection. Null
 * is rejected everywhere. A collection has a name in its store. After a restore, the collection is found by this name.
 *
 * <p><b>Neighbours.</b> A {@link io.teff.engine.codec.Codec} encodes keys, values and elements. The implementations are
 * in rooms that are not exported: {@code hash}, {@code tree} and {@code sequence}. {@code docs/COLLECTIONS.md} has
 * their layout in chunks.
 *
 * <p><b>Start here.</b> {@link io.teff.engine.Store#map} opens a {@link io.teff.engine.collect.ChunkMap}.
 */
@NullMarked
package io.teff.engine.collect;

import org.jspecify.annotations.NullMarked;
