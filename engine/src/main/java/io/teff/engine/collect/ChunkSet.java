package io.teff.engine.collect;

import java.util.Set;

/**
 * A hash set in chunks: a {@link ChunkMap} without values, with the same guarantees.
 *
 * @param <E> type of the elements
 */
public interface ChunkSet<E> extends Set<E>, ChunkCollection {}
