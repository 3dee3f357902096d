package io.teff.engine.map;

import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of walks, which can be cut in two.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface EntryRange<K, V> {
    /**
     * Begins a walk.
     *
     * @return a walk over all that is left
     */
    EntryCursor<K, V> cursor();

    /**
     * Cuts the first part off, about half of it.
     *
     * @return the first part, which is not in this range any more; or null if there is not much in it
     */
    @Nullable EntryRange<K, V> cut();

    /** {@return about how many entries there are, or {@link Long#MAX_VALUE} if it is not known} */
    long estimate();
}
