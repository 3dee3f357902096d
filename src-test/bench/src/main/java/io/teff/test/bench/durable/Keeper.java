package io.teff.test.bench.durable;

import java.util.Arrays;

/**
 * A store on a disk. A map finds a value by its key; Teff assigns CIDs to chunks. So a create returns the name by which
 * the value is found from then on, also after the store was reopened; names of consecutive keys that one thread creates
 * are consecutive. Values have {@link Values#BYTES} bytes. The durability of an operation at its return was chosen when
 * the store was opened. Operations may be called by several threads.
 */
interface Keeper extends AutoCloseable {
    /** Creates a new entry, and returns its name. */
    long create(long key, byte[] value);

    /** Replaces a value. */
    void put(long name, byte[] value);

    /** Copies a value to the start of an array; returns false if it does not exist. */
    boolean get(long name, byte[] target);

    /** Creates entries of consecutive keys at once, from adjacent values, and stores their names. */
    default void createAll(long firstKey, byte[] values, long[] names) {
        for (int i = 0; i < names.length; i++) {
            names[i] = create(firstKey + i, value(values, i));
        }
    }

    /** Replaces values at once, from adjacent values. */
    default void putAll(long[] names, byte[] values) {
        for (int i = 0; i < names.length; i++) {
            put(names[i], value(values, i));
        }
    }

    /** Waits until all earlier operations are on the device. */
    void sync();

    @Override
    void close();

    /** Returns one of several adjacent values. */
    static byte[] value(byte[] values, int index) {
        return Arrays.copyOfRange(values, index * Values.BYTES, (index + 1) * Values.BYTES);
    }
}
