package io.teff.engine;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Operations on many chunks at once. Each chunk is changed atomically; the batch as a whole is not atomic.
 *
 * <p>An operation uses {@code count} elements of an array of CIDs, from index {@code from} on. It stores the results in
 * the same order in a second array, from index 0 on. Thread-safe; the caller must not change the arrays during the
 * call.
 *
 * <p>An array or segment that is too short throws {@link IndexOutOfBoundsException}, and a length outside 0 to
 * {@link io.teff.engine.config.Limits#CHUNK_BYTES_MAX} throws {@link IllegalArgumentException}, in both cases before
 * any chunk is changed. In a durable store, a {@link io.teff.engine.error.StoreException} may end a batch early. Its
 * message states the number of chunks processed before the failure; these are the first ones, and the array of CIDs or
 * statuses contains their results.
 */
public interface BatchOperations {
    /**
     * Creates chunks of the same length, filled with zeros.
     *
     * @param length length of each chunk in bytes, 0 to {@link io.teff.engine.config.Limits#CHUNK_BYTES_MAX}
     * @param cids array that receives the CIDs
     * @param from first index in {@code cids}
     * @param count number of chunks
     * @param consecutive whether the CIDs must be consecutive
     * @return the number of chunks created; the CIDs of the others are set to {@code Status.FULL}
     */
    int create(long length, long[] cids, int from, int count, boolean consecutive);

    /**
     * Creates chunks of given lengths.
     *
     * @param source contents, concatenated from offset 0; null for zeros
     * @param lengths length of each chunk in bytes; the length of the array is the number of chunks
     * @param cids array that receives the CIDs
     * @param from first index in {@code cids}
     * @param consecutive whether the CIDs must be consecutive
     * @return the number of chunks created; the CIDs of the others are set to {@code Status.FULL}
     */
    int create(@Nullable MemorySegment source, int[] lengths, long[] cids, int from, boolean consecutive);

    /**
     * Copies chunks to consecutive ranges of the target.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param count number of chunks
     * @param target segment that receives the contents, from {@code offset}
     * @param offset first byte in the target
     * @param lengths receives each chunk's length in bytes, or a status, at index 0 to count - 1; TOO_SMALL for a chunk
     *     that does not fit into the rest of the target, or whose length exceeds {@link Integer#MAX_VALUE}
     * @return number of bytes written to the target
     */
    long get(long[] cids, int from, int count, MemorySegment target, long offset, int[] lengths);

    /**
     * Copies chunks to consecutive ranges of an array. See {@link #get(long[], int, int, MemorySegment, long, int[])}.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param count number of chunks
     * @param target array that receives the contents
     * @param offset first index in the target
     * @param lengths receives each chunk's length in bytes, or a status, at index 0 to count - 1
     * @return number of bytes written to the target
     */
    int get(long[] cids, int from, int count, byte[] target, int offset, int[] lengths);

    /**
     * Reads a 64-bit field at the same offset of many chunks, little-endian at any alignment.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param count number of chunks
     * @param fieldOffset first byte of the field in each chunk
     * @param ifAbsent value for CIDs without a chunk
     * @param values receives the values at index 0 to count - 1
     * @throws IndexOutOfBoundsException if the field is outside one of the chunks
     * @throws io.teff.engine.error.StoreException of category RETRY if another thread keeps one of the chunks locked
     */
    void getLong(long[] cids, int from, int count, long fieldOffset, long ifAbsent, long[] values);

    /**
     * Replaces the contents of chunks.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param source contents, concatenated from offset 0
     * @param lengths length of each content in bytes; the length of the array is the number of chunks
     * @param statuses receives OK or another status for each chunk, at index 0 on
     * @return the number of chunks whose status is OK
     */
    int put(long[] cids, int from, MemorySegment source, int[] lengths, int[] statuses);

    /**
     * Removes chunks.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param count number of chunks
     * @param results receives the length in bytes of each removed chunk, or a status, at index 0 to count - 1
     * @return the number of removed chunks
     */
    int remove(long[] cids, int from, int count, long[] results);

    /**
     * Resizes chunks.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param lengths the new lengths in bytes; the length of the array is the number of chunks
     * @param statuses receives OK or another status for each chunk, at index 0 on
     * @return the number of chunks whose status is OK
     */
    int resize(long[] cids, int from, long[] lengths, int[] statuses);

    /**
     * Returns the lengths of chunks. Does not wait for locks.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param count number of chunks
     * @param sizes receives each chunk's length in bytes, or ABSENT, at index 0 to count - 1
     * @return the number of chunks that exist
     */
    int size(long[] cids, int from, int count, long[] sizes);

    /**
     * Determines which chunks exist. Does not wait for locks.
     *
     * @param cids the chunks
     * @param from first index in {@code cids}
     * @param count number of chunks
     * @param exist receives whether each chunk exists, at index 0 to count - 1
     * @return the number of chunks that exist
     */
    int exists(long[] cids, int from, int count, boolean[] exist);
}
