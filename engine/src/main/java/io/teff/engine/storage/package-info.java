/**
 * The ground of all collections: a collection's chunks, writer locks, counters, state, and buffers for operations.
 *
 * <p><b>Promise.</b> {@link io.teff.engine.storage.CollectionChunks} is the only interface of a collection to the
 * engine, apart from table entries and sequence words that optimistic readers load themselves. Its methods throw where
 * the store's methods return a status, because a missing chunk of a collection means damage. <b>Neighbours.</b> The
 * store implements the interface; the packages {@code hash}, {@code tree} and {@code sequence} use it. <b>Start</b>
 * with {@link io.teff.engine.storage.CollectionChunks}, then {@link io.teff.engine.storage.WriterLocks} and {@link
 * io.teff.engine.storage.ChunkIndex}.
 */
@NullMarked
package io.teff.engine.storage;

import org.jspecify.annotations.NullMarked;
