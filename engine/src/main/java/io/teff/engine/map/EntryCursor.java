package io.teff.engine.map;

/**
 * A walk over entries, weakly consistent: it never fails, and shows each entry that is there all the time exactly once.
 * Not thread-safe.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface EntryCursor<K, V> extends AutoCloseable {
    /** {@return whether there is another entry, which is the current one now} */
    boolean next();

    /** {@return a new object of the current entry's key} */
    K key();

    /** {@return a new object of the current entry's value} */
    V value();

    /** Ends the walk; needed only where it is left before its end, and only to make the next one cheaper. */
    @Override
    default void close() {}
}
