package io.teff.engine.collect;

/**
 * A {@link MapLoader} with keys of type {@code long}.
 *
 * @param <V> type of the values
 */
public interface LongMapLoader<V> extends MapLoader<Long, V> {
    /**
     * Adds an entry.
     *
     * @param key key of the entry
     * @param value not null
     */
    void add(long key, V value);

    /**
     * Adds an entry whose value is given as bytes. The bytes are not checked; the map's codec must be able to read
     * them.
     *
     * @param key key of the entry
     * @param source array that contains the value's bytes
     * @param offset index of the first of them
     * @param length number of them
     */
    void addBytes(long key, byte[] source, int offset, int length);
}
