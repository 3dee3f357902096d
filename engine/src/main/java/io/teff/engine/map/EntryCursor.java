package io.teff.engine.map;


/**
 * A walk over entries, weakly consistent: it never fails, and shows each entry that exists during the whole walk
 * exactly once. Not thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface EntryCursor<K, V> extends AutoCloseable {
    /** {@return whether there is a next entry, which becomes the current one} */
    boolean next();

    /** {@return the key of the current entry, as a new object} */
    K key();

    /** {@return the value of the current entry, as a new object} */
    V value();

    /**
     * Copies the bytes of the current entry's value.
     *
     * @param target the copy
     */
    void copyValue(EncodedBytes target);

    /**
     * Ends the walk. Only needed if the walk is left before its end, and only to reuse its buffers for the next walk.
     */
    @Override
    default void close() {}
}
