package io.teff.test.bench.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A store under test. A map finds a value by its key; Teff assigns CIDs to chunks. So a create returns the name by
 * which the value is found from then on, and names of consecutive keys that one thread creates first are consecutive.
 * Operations may be called by several threads, if the store allows that.
 */
public interface KeyedStore extends AutoCloseable {
    /** Accesses the first eight bytes of a value. */
    VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** What {@link #sum} returns if the store cannot visit all entries. */
    long UNSUPPORTED = -1;

    /**
     * Creates a new entry.
     *
     * @param key the key
     * @param value the value; the store must not keep the array
     * @return the name of the entry
     */
    long create(long key, byte[] value);

    /**
     * Copies a value.
     *
     * @param name the name
     * @param target the target, from index 0
     * @return its length, or a negative number if it does not exist
     */
    int get(long name, byte[] target);

    /**
     * Replaces a value by one of the same length.
     *
     * @param name the name
     * @param value the value; the store must not keep the array
     */
    void put(long name, byte[] value);

    /**
     * Reads eight bytes inside of a value by the cheapest method of the store.
     *
     * @param name the name
     * @return its first eight bytes, or -1 if it does not exist
     */
    long readLong(long name);

    /**
     * Copies several values, one behind the other.
     *
     * @param names the names; may be overwritten
     * @param lengths receives their lengths
     * @param target the target, from index 0
     */
    default void getAll(long[] names, int[] lengths, byte[] target) {
        byte[] one = new byte[256];
        int at = 0;
        for (int i = 0; i < names.length; i++) {
            lengths[i] = get(names[i], one);
            System.arraycopy(one, 0, target, at, lengths[i]);
            at += lengths[i];
        }
    }

    /**
     * Removes an entry.
     *
     * @param name the name
     * @return whether it existed
     */
    boolean remove(long name);

    /**
     * Visits all entries.
     *
     * @return the sum of the first eight bytes of all values, or {@link #UNSUPPORTED}
     */
    long sum();

    @Override
    void close();
}
