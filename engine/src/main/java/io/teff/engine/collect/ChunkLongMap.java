package io.teff.engine.collect;

/**
 * A {@link ChunkMap} with keys of type {@code long}.
 *
 * @param <V> type of the values
 */
public interface ChunkLongMap<V> extends ChunkMap<Long, V>, LongKeyed<V> {
    @Override
    LongMapLoader<V> loader(long expectedEntries);
}
