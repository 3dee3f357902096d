package io.teff.cluster;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The ranges of a sorted map of a cluster: each range of keys is a part, whole in one zone. Thread-safe.
 *
 * @param <K> type of the keys
 */
public interface MapRanges<K> {
    /** Most ranges of a map: the row of a map in the directory has all bounds. */
    int RANGES_MAX = 1_024;

    /**
     * A range of a sorted map at a moment.
     *
     * @param from lowest key of the range, or null for the first range
     * @param zone zone of the part
     * @param entries number of entries
     * @param memoryBytes memory of the part
     * @param isSplitting whether the upper half of the range is on its way to the next part
     * @param <K> type of the keys
     */
    record MapRange<K>(@Nullable K from, int zone, long entries, long memoryBytes, boolean isSplitting) {}

    /**
     * Returns the ranges in the order of their keys. Each range is of a moment during the call.
     *
     * @return the ranges
     */
    List<MapRange<K>> all();

    /**
     * Splits the range with a key, so that the key begins a range. Other clients use the map meanwhile. An empty range
     * is split at once, so the ranges of a map can be made before the map is filled.
     *
     * @param key the lowest key of the new range
     * @return whether the key begins a range now; false if the map has {@link #RANGES_MAX} ranges, another split of
     *     the range waits for entries, or a backup of the cluster is being taken
     * @throws io.teff.engine.error.StoreException if an owner has no memory; the split goes on with the next call
     */
    boolean splitAt(K key);

    /**
     * Splits the range with a key into two halves of about as many entries. Goes on with a split that another client
     * has begun.
     *
     * @param key any key of the range
     * @return whether a range was split; false also while a backup of the cluster is being taken
     * @throws io.teff.engine.error.StoreException if an owner has no memory; the split goes on with the next call
     */
    boolean split(K key);
}
