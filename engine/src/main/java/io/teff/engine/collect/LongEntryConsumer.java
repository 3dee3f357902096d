package io.teff.engine.collect;

/**
 * Action for an entry with a key of type {@code long}.
 *
 * @param <V> type of the value
 */
@FunctionalInterface
public interface LongEntryConsumer<V> {
    /**
     * Processes an entry.
     *
     * @param key key of the entry
     * @param value value of the entry
     */
    void accept(long key, V value);
}
