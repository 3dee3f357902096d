package io.teff.test.bench.grid;

/**
 * The client of a system. Keys are the numbers from 0 on. A value begins with its key, and has a number behind the key.
 * Thread-safe.
 */
interface GridClient extends AutoCloseable {
    /** Creates the entries of successive keys. */
    void fill(int from, byte[][] values);

    /** Returns a value, or null. */
    byte[] get(int key);

    /** Replaces a value. */
    void put(int key, byte[] value);

    /**
     * Reads the values of different keys.
     *
     * @return how many there are, of which all have the right keys
     */
    int getAll(int[] keys);

    /** Replaces the values of different keys. */
    void putAll(int[] keys, byte[][] values);

    /** Adds one to the number in a value, at the owner. */
    long add(int key);

    /** Adds an element to the queue, and takes one; returns whether there was one. */
    default boolean offerAndPoll(byte[] element) {
        throw new UnsupportedOperationException("no queue");
    }

    /** Walks over all entries; returns how many there are. */
    default long scan() {
        throw new UnsupportedOperationException("no walk");
    }

    @Override
    void close();
}
