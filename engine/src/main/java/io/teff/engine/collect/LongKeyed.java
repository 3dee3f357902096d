package io.teff.engine.collect;

import java.util.Objects;
import java.util.PrimitiveIterator;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Operations without boxing of a map with keys of type {@code long}.
 *
 * @param <V> type of the values
 */
public interface LongKeyed<V> {
    /**
     * Returns the value of a key.
     *
     * @param key key of the entry
     * @return a new object, or null if there is no entry
     */
    @Nullable V get(long key);

    /**
     * Copies the bytes of a value. Allocates nothing.
     *
     * @param key key of the entry
     * @param target array to copy to
     * @param offset index of the first byte in it
     * @return number of bytes, or the {@link io.teff.engine.error.Status} ABSENT or TOO_SMALL
     */
    int getBytes(long key, byte[] target, int offset);

    /**
     * Copies the bytes of several values to consecutive ranges of the target. In a hash map, the cache misses of up to
     * 32 keys overlap. Allocates nothing.
     *
     * @param keys keys of the entries
     * @param from index of the first key
     * @param count number of keys
     * @param target array to copy to
     * @param offset index of the first byte in it
     * @param lengths receives for each key the number of bytes, or the {@link io.teff.engine.error.Status} ABSENT or
     *     TOO_SMALL, from index 0 on
     * @return number of bytes copied
     */
    default int getAllBytes(long[] keys, int from, int count, byte[] target, int offset, int[] lengths) {
        Objects.checkFromIndexSize(from, count, keys.length);
        Objects.checkFromIndexSize(0, count, lengths.length);
        if (count == 0) {
            containsKey(0);                                     // throws if the map cannot be used any more
        }
        int at = offset;
        for (int i = 0; i < count; i++) {
            lengths[i] = getBytes(keys[from + i], target, at);
            at += Math.max(lengths[i], 0);
        }
        return at - offset;
    }

    /**
     * Reads eight bytes of a value, such as a field of fixed size ({@link
     * io.teff.engine.codec.schema.Schema#offset}). Allocates nothing.
     *
     * @param key key of the entry
     * @param offset index of the first byte in the value
     * @param absent result if there is no entry
     * @return the number, little-endian
     * @throws IndexOutOfBoundsException if the value is shorter
     */
    long getLong(long key, int offset, long absent);

    /**
     * Returns whether there is an entry.
     *
     * @param key key of the entry
     * @return whether the map contains the key
     */
    boolean containsKey(long key);

    /**
     * Puts an entry, without reading the old value.
     *
     * @param key key of the entry
     * @param value not null
     * @return whether the key is new
     */
    boolean set(long key, V value);

    /**
     * Puts an entry whose value is given as bytes. Allocates nothing. The bytes are not checked; the map's codec must
     * be able to read them.
     *
     * @param key key of the entry
     * @param source array that contains the value's bytes
     * @param offset index of the first of them
     * @param length number of them
     * @return whether the key is new
     */
    boolean setBytes(long key, byte[] source, int offset, int length);

    /**
     * Removes an entry, without reading the old value.
     *
     * @param key key of the entry
     * @return whether there was an entry
     */
    boolean delete(long key);

    /**
     * Passes all keys to an action. Weakly consistent like all iteration.
     *
     * @param action called for each
     */
    void forEachKey(LongConsumer action);

    /**
     * Passes all entries to an action. Weakly consistent like all iteration.
     *
     * @param action called for each
     */
    void forEachEntry(LongEntryConsumer<? super V> action);

    /** {@return an iterator over all keys that supports removal} */
    PrimitiveIterator.OfLong keyIterator();
}
