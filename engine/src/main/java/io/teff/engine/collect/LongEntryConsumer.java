package io.teff.engine.collect;

/**
 * What to do with an entry whose key is a number.
 *
 * @param <V> type of the value
 */
@FunctionalInterface
public interface LongEntryConsumer<V> {
    /**
     * Takes an entry.
     *
     * @param key its key
     * @param value its value
     */
    void accept(long key, V value);
}
