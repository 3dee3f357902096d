package io.teff.engine.collect;

import java.util.function.LongConsumer;

/**
 * A {@link ChunkSortedMap} with keys of type {@code long} in numeric order. A range includes both its first and its
 * last key; it is empty if the first is greater than the last.
 *
 * @param <V> type of the values
 */
public interface ChunkSortedLongMap<V> extends ChunkSortedMap<Long, V>, LongKeyed<V> {
    /**
     * Returns the least key greater than or equal to a number.
     *
     * @param key any number
     * @param absent result if there is none
     * @return the key, or {@code absent}
     */
    long ceilingKey(long key, long absent);

    /**
     * Returns the greatest key less than or equal to a number.
     *
     * @param key any number
     * @param absent result if there is none
     * @return the key, or {@code absent}
     */
    long floorKey(long key, long absent);

    /**
     * Returns the least key greater than a number.
     *
     * @param key any number
     * @param absent result if there is none
     * @return the key, or {@code absent}
     */
    long higherKey(long key, long absent);

    /**
     * Returns the greatest key less than a number.
     *
     * @param key any number
     * @param absent result if there is none
     * @return the key, or {@code absent}
     */
    long lowerKey(long key, long absent);

    /**
     * Passes the keys of a range to an action, in order. Weakly consistent like all iteration.
     *
     * @param from the first key
     * @param to the last key
     * @param action called for each
     */
    void forEachKey(long from, long to, LongConsumer action);

    /**
     * Passes the entries of a range to an action, in order. Weakly consistent like all iteration.
     *
     * @param from the first key
     * @param to the last key
     * @param action called for each
     */
    void forEachEntry(long from, long to, LongEntryConsumer<? super V> action);

    /**
     * Passes the entries of a range to an action, in order, with their values as bytes. This is the fastest iteration;
     * it makes no objects. Weakly consistent like all iteration.
     *
     * @param from the first key
     * @param to the last key
     * @param action called for each
     */
    void forEachBytes(long from, long to, LongBytesConsumer action);
}
