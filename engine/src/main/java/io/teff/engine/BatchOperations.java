package io.teff.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many chunks at once. A batch is not atomic; each of its chunks is.
 *
 * <p>Arrays of CIDs are used from {@code from} for {@code count} elements; results go to the elements at the same
 * distance from the start of their own array's range. Thread-safe.
 *
 * <p>Where changes are kept, in a durable store, a batch may be refused midway, by a
 * {@link io.teff.engine.error.StoreException}. Its message says after how many chunks: those are the first ones, and
 * their outcomes are in the array of CIDs or statuses.
 */
public interface BatchOperations {
    /**
     * Makes chunks of zeros, all of one length.
     *
     * @param length bytes of each
     * @param cids where the CIDs go
     * @param from first index
     * @param count how many
     * @param consecutive whether the CIDs must follow each other
     * @return how many were made; the CIDs of the others are set to {@code Status.FULL}
     */
    int create(long length, long[] cids, int from, int count, boolean consecutive);

    /**
     * Makes chunks of many lengths.
     *
     * @param source the contents, one behind the other from offset 0; null for zeros
     * @param lengths bytes of each; its size says how many
     * @param cids where the CIDs go
     * @param from first index
     * @param consecutive whether the CIDs must follow each other
     * @return how many were made; the CIDs of the others are set to {@code Status.FULL}
     */
    int create(@Nullable MemorySegment source, int[] lengths, long[] cids, int from, boolean consecutive);

    /**
     * Gets chunks, one behind the other.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param target where the contents go, from {@code offset}
     * @param offset first byte in the target
     * @param lengths gets each chunk's length or status at index 0 to count - 1; TOO_SMALL for one that does not fit
     *     into what is left of the target, or is longer than an int
     * @return bytes written to the target
     */
    long get(long[] cids, int from, int count, MemorySegment target, long offset, int[] lengths);

    /**
     * The same, into an array.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param target where the contents go
     * @param offset first index in the target
     * @param lengths gets each chunk's length or status
     * @return bytes written to the target
     */
    int get(long[] cids, int from, int count, byte[] target, int offset, int[] lengths);

    /**
     * Reads the same 64-bit field of many chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param fieldOffset first byte of the field in each chunk
     * @param ifAbsent value for CIDs without a chunk
     * @param values gets the values at index 0 to count - 1
     * @throws IndexOutOfBoundsException if the field is not inside of one of the chunks
     */
    void getLong(long[] cids, int from, int count, long fieldOffset, long ifAbsent, long[] values);

    /**
     * Puts chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param source the contents, one behind the other from offset 0
     * @param lengths bytes of each; its size says how many
     * @param statuses gets each put's status
     * @return how many were OK
     */
    int put(long[] cids, int from, MemorySegment source, int[] lengths, int[] statuses);

    /**
     * Removes chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param results gets each chunk's removed length or status
     * @return how many were removed
     */
    int remove(long[] cids, int from, int count, long[] results);

    /**
     * Resizes chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param lengths the new lengths; its size says how many
     * @param statuses gets each resize's status
     * @return how many were OK
     */
    int resize(long[] cids, int from, long[] lengths, int[] statuses);

    /**
     * Sizes of chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param sizes gets each chunk's length or ABSENT
     * @return how many exist
     */
    int size(long[] cids, int from, int count, long[] sizes);

    /**
     * Tells which chunks exist.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param exist gets each answer
     * @return how many exist
     */
    int exists(long[] cids, int from, int count, boolean[] exist);
}
