package io.teff.test.bench.durable;

import java.util.Arrays;

/**
 * A store on a disk. A map finds a value by its key; Teff names chunks itself. So a create gives the name by which the
 * value is found from then on, also after it was opened again; names of consecutive keys that one thread creates are
 * consecutive. Values have {@link Values#BYTES} bytes. What an operation promises when it returns was chosen when the
 * store was opened. Operations may be called by several threads.
 */
interface Keeper extends AutoCloseable {
    /** Makes an entry that is not there, and gives its name. */
    long create(long key, byte[] value);

    /** Replaces a value. */
    void put(long name, byte[] value);

    /** Copies a value to the start of an array; false if it is not there. */
    boolean get(long name, byte[] target);

    /** Makes entries of consecutive keys at once; the values lie one behind the other, the names are given back. */
    default void createAll(long firstKey, byte[] values, long[] names) {
        for (int i = 0; i < names.length; i++) {
            names[i] = create(firstKey + i, value(values, i));
        }
    }

    /** Replaces values at once, which lie one behind the other. */
    default void putAll(long[] names, byte[] values) {
        for (int i = 0; i < names.length; i++) {
            put(names[i], value(values, i));
        }
    }

    /** Waits until the device has everything that was done before. */
    void sync();

    @Override
    void close();

    /** One of several values that lie one behind the other. */
    static byte[] value(byte[] values, int index) {
        return Arrays.copyOfRange(values, index * Values.BYTES, (index + 1) * Values.BYTES);
    }
}
