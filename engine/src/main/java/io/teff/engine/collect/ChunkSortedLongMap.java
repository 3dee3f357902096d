package io.teff.engine.collect;

import java.util.function.LongConsumer;

/**
 * A {@link ChunkSortedMap} whose keys are numbers, in their order. A range goes from one key to another, both of which
 * belong to it; it is empty if they are the wrong way round.
 *
 * @param <V> type of the values
 */
public interface ChunkSortedLongMap<V> extends ChunkSortedMap<Long, V>, LongKeyed<V> {
    /**
     * The least key that is at least a number.
     *
     * @param key any number
     * @param absent what to return if there is none
     * @return the key
     */
    long ceilingKey(long key, long absent);

    /**
     * The greatest key that is at most a number.
     *
     * @param key any number
     * @param absent what to return if there is none
     * @return the key
     */
    long floorKey(long key, long absent);

    /**
     * The least key above a number.
     *
     * @param key any number
     * @param absent what to return if there is none
     * @return the key
     */
    long higherKey(long key, long absent);

    /**
     * The greatest key below a number.
     *
     * @param key any number
     * @param absent what to return if there is none
     * @return the key
     */
    long lowerKey(long key, long absent);

    /**
     * Shows the keys of a range. Weakly consistent like all iteration.
     *
     * @param from the first key
     * @param to the last key
     * @param action what to do
     */
    void forEachKey(long from, long to, LongConsumer action);

    /**
     * Shows the entries of a range. Weakly consistent like all iteration.
     *
     * @param from the first key
     * @param to the last key
     * @param action what to do
     */
    void forEachEntry(long from, long to, LongEntryConsumer<? super V> action);

    /**
     * Shows the entries of a range, their values as bytes: the fastest walk, which makes no objects. Weakly consistent
     * like all iteration.
     *
     * @param from the first key
     * @param to the last key
     * @param action what to do
     */
    void forEachBytes(long from, long to, LongBytesConsumer action);
}
