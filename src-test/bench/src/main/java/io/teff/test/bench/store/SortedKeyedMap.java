package io.teff.test.bench.store;

/** A sorted map under test. */
public interface SortedKeyedMap extends KeyedMap {
    /**
     * Finds a key.
     *
     * @param key any number
     * @return the least key that is not below it
     * @throws NullPointerException if there is none
     */
    long ceiling(long key);

    /**
     * Visits the entries of a range by the iterator of {@code subMap}, each with its key and its value.
     *
     * @param from the first key that belongs to it
     * @param to the first key behind it
     * @return the sum of their keys and of the first eight bytes of their values
     */
    long sumOfRange(long from, long to);

    /**
     * Visits the values of a range by the fastest method of the map.
     *
     * @param from the first key that belongs to it
     * @param to the first key behind it
     * @return the sum of the first eight bytes of the values
     */
    long sumOfRangeFast(long from, long to);
}
