package io.teff.engine.collect;

import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Forms that box nothing, of a map whose keys are numbers.
 *
 * @param <V> type of the values
 */
public interface LongKeyed<V> {
    /**
     * The value of a key.
     *
     * @param key the key
     * @return a new object, or null
     */
    @Nullable V get(long key);

    /**
     * Copies the bytes of a value. Allocates nothing.
     *
     * @param key the key
     * @param target where to
     * @param offset first index
     * @return their number, or the {@link io.teff.engine.error.Status} ABSENT or TOO_SMALL
     */
    int getBytes(long key, byte[] target, int offset);

    /**
     * Reads eight bytes of a value, for instance a field of fixed size ({@link io.teff.engine.codec.schema.Schema#offset}).
     * Allocates nothing.
     *
     * @param key the key
     * @param offset first byte in the value
     * @param absent what to return if there is no entry
     * @return the number, little-endian
     * @throws IndexOutOfBoundsException if the value is shorter
     */
    long getLong(long key, int offset, long absent);

    /**
     * Tells whether there is an entry.
     *
     * @param key the key
     * @return whether there is one
     */
    boolean containsKey(long key);

    /**
     * Puts an entry, without reading the old value.
     *
     * @param key the key
     * @param value not null
     * @return whether the key is new
     */
    boolean set(long key, V value);

    /**
     * Puts an entry whose value is given as bytes. Allocates nothing. They are not checked: the codec must be able to
     * read them.
     *
     * @param key the key
     * @param source the value's bytes
     * @param offset first index
     * @param length how many
     * @return whether the key is new
     */
    boolean setBytes(long key, byte[] source, int offset, int length);

    /**
     * Removes an entry, without reading the old value.
     *
     * @param key the key
     * @return whether there was one
     */
    boolean delete(long key);

    /**
     * Shows all keys. Weakly consistent like all iteration.
     *
     * @param action what to do
     */
    void forEachKey(LongConsumer action);

    /**
     * Shows all entries. Weakly consistent like all iteration.
     *
     * @param action what to do
     */
    void forEachEntry(LongEntryConsumer<? super V> action);

    /** {@return an iterator over all keys, which can remove} */
    PrimitiveIterator.OfLong keyIterator();
}
