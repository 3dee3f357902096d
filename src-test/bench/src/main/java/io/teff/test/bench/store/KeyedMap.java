package io.teff.test.bench.store;

import java.util.function.LongFunction;

/** A map under test: a store whose names are its keys, with a counter in each value. */
public interface KeyedMap extends KeyedStore {
    /** Where the counter lies in a value: eight bytes, behind the key. */
    int COUNTER_OFFSET = Long.BYTES;

    /**
     * Adds 1 to the counter of an entry, atomically.
     *
     * @param key the key of an existing entry
     */
    void increment(long key);

    /**
     * Puts the entries of the keys 0, 1, 2 and so on, by the fastest method of the map.
     *
     * @param entries number of entries
     * @param values returns the value of a key, perhaps the same array each time
     */
    default void load(long entries, LongFunction<byte[]> values) {
        for (long key = 0; key < entries; key++) {
            create(key, values.apply(key));
        }
    }

    /**
     * Visits all keys.
     *
     * @return their sum
     */
    long sumOfKeys();

    /**
     * Visits all entries, each with its key and its value.
     *
     * @return the sum of all keys and of the first eight bytes of all values
     */
    long sumOfEntries();
}
