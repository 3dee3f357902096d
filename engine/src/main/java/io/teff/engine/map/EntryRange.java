package io.teff.engine.map;

import org.jspecify.annotations.Nullable;

/**
 * Entries in the order of a walk, which can be split in two.
 *
 * @param <K> type of the keys
 * @param <V> type of the values
 */
public interface EntryRange<K, V> {
    /**
     * Begins a walk.
     *
     * @return a walk over the entries that are left in the range
     */
    EntryCursor<K, V> cursor();

    /**
     * Splits off the first part, about half of the range.
     *
     * @return the first part, which this range no longer contains; or null if the range is too small
     */
    @Nullable EntryRange<K, V> cut();

    /** {@return the estimated number of entries, or {@link Long#MAX_VALUE} if it is unknown} */
    long estimate();
}
