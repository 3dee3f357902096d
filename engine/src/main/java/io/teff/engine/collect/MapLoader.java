package io.teff.engine.collect;

/**
 * Puts many entries into a {@link ChunkMap}, several times as fast as single calls of {@code set}.
 *
 * <p>The loader collects the bytes of the entries on the heap. {@link #flush} lets the map grow to its later size, and
 * then changes each bucket once, on several threads if there are many entries. A loader flushes by itself when the
 * collected bytes exceed half of the heap that was free at its creation, and when it is closed.
 *
 * <p>An entry is in the map at the end of the next {@code flush} or {@code close}; in a durable store the entry is then
 * as durable as after a {@code set}. Of two entries with one key, the later one is kept. Other threads may use the map
 * meanwhile, by loaders of their own, too: each of them sees an entry as a whole or not at all. A loader itself is for
 * one thread.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface MapLoader<K, V> extends AutoCloseable {
    /**
     * Adds an entry.
     *
     * @param key not null
     * @param value not null
     * @throws IllegalStateException after {@link #close}
     */
    void add(K key, V value);

    /**
     * Puts all collected entries into the map.
     *
     * @throws io.teff.engine.error.StoreException as {@link ChunkMap#set}. Some entries are in the map then, the others
     *     are still in the loader. A later flush may put an entry of the map again.
     */
    void flush();

    /** Flushes and ends the loader; no effect if it is closed. */
    @Override
    void close();
}
