package io.teff.engine.collect;

/**
 * A {@link ChunkMap} whose keys are numbers.
 *
 * @param <V> type of the values
 */
public interface ChunkLongMap<V> extends ChunkMap<Long, V>, LongKeyed<V> {}
