package io.teff.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many chunks at once. Each chunk is changed atomically; the batch as a whole is not atomic.
 *
 * <p>An operation uses {@code count} elements of an array of CIDs, beginning at {@code from}. Results are stored in the
 * same order in their own array. Thread-safe.
 *
 * <p>In a durable store, a {@link io.teff.engine.error.StoreException} may end a batch early. Its message names the
 * number of chunks processed before; these are the first ones, and the array of CIDs or statuses has their results.
 */
public interface BatchOperations {
    /**
     * Creates chunks of zeros, all of one length.
     *
     * @param length bytes of each
     * @param cids array that receives the CIDs
     * @param from first index
     * @param count how many
     * @param consecutive whether the CIDs must follow each other
     * @return the number of chunks created; the CIDs of the others are set to {@code Status.FULL}
     */
    int create(long length, long[] cids, int from, int count, boolean consecutive);

    /**
     * Creates chunks of given lengths.
     *
     * @param source contents, concatenated from offset 0; null for zeros
     * @param lengths length of each chunk in bytes; the length of the array is the number of chunks
     * @param cids array that receives the CIDs
     * @param from first index
     * @param consecutive whether the CIDs must follow each other
     * @return the number of chunks created; the CIDs of the others are set to {@code Status.FULL}
     */
    int create(@Nullable MemorySegment source, int[] lengths, long[] cids, int from, boolean consecutive);

    /**
     * Copies chunks to consecutive ranges of the target.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param target segment that receives the contents, from {@code offset}
     * @param offset first byte in the target
     * @param lengths gets each chunk's length or status at index 0 to count - 1; TOO_SMALL for a chunk that does not
     *     fit into the rest of the target, or is longer than an int
     * @return bytes written to the target
     */
    long get(long[] cids, int from, int count, MemorySegment target, long offset, int[] lengths);

    /**
     * Copies chunks to consecutive ranges of an array. See {@link #get(long[], int, int, MemorySegment, long, int[])}.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param target array that receives the contents
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
     * @throws IndexOutOfBoundsException if the field is not inside each chunk
     */
    void getLong(long[] cids, int from, int count, long fieldOffset, long ifAbsent, long[] values);

    /**
     * Replaces the contents of chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param source contents, concatenated from offset 0
     * @param lengths length of each content in bytes; the length of the array is the number of chunks
     * @param statuses gets each put's status
     * @return the number of chunks whose status is OK
     */
    int put(long[] cids, int from, MemorySegment source, int[] lengths, int[] statuses);

    /**
     * Removes chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param results gets each chunk's removed length or status
     * @return the number of removed chunks
     */
    int remove(long[] cids, int from, int count, long[] results);

    /**
     * Resizes chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param lengths the new lengths in bytes; the length of the array is the number of chunks
     * @param statuses gets each resize's status
     * @return the number of chunks whose status is OK
     */
    int resize(long[] cids, int from, long[] lengths, int[] statuses);

    /**
     * Returns the lengths of chunks.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param sizes gets each chunk's length or ABSENT
     * @return the number of chunks that exist
     */
    int size(long[] cids, int from, int count, long[] sizes);

    /**
     * Returns which chunks exist.
     *
     * @param cids the chunks
     * @param from first index
     * @param count how many
     * @param exist receives true for each chunk that exists
     * @return the number of chunks that exist
     */
    int exists(long[] cids, int from, int count, boolean[] exist);
}
