package io.teff.test.bench.store;

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
