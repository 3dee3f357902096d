package io.teff.test.bench.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * A store under test. A map finds a value by its key; Teff names chunks itself. So a create gives the name by which the
 * value is found from then on, and names of consecutive keys that one thread creates first are consecutive. Operations
 * may be called by several threads, where the store allows that.
 */
public interface KeyedStore extends AutoCloseable {
    /** How the first eight bytes of a value are read and written. */
    VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    /** What {@link #sum} returns if the store cannot visit all entries. */
    long UNSUPPORTED = -1;

    /**
     * Makes an entry that is not there.
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
     * @param target where to, from index 0
     * @return its length, or a negative number if it is not there
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
     * Reads eight bytes inside of a value in the cheapest way that the store has.
     *
     * @param name the name
     * @return its first eight bytes, or -1 if it is not there
     */
    long readLong(long name);

    /**
     * Copies several values, one behind the other.
     *
     * @param names the names; may be overwritten
     * @param lengths gets their lengths
     * @param target where to, from index 0
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
     * @return whether it was there
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
