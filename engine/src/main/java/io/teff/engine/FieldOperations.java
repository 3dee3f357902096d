package io.teff.engine;

import io.teff.engine.error.StoreException;
import java.util.NoSuchElementException;

/**
 * Reads and changes of single values inside chunks, in place. Values are little-endian, at any offset.
 *
 * <p>Reads, writes, compare-and-set and add are atomic with respect to every other operation on the chunk, at any
 * alignment, and have the memory order of a lock: a write happens-before every read that sees the value written.
 *
 * <p>Access to a field outside the chunk throws {@link IndexOutOfBoundsException}. Reads of a chunk that another thread
 * keeps locked throw {@link StoreException} of category RETRY; writes return LOCKED. Thread-safe.
 */
public interface FieldOperations {
    /**
     * Reads 64 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param ifAbsent result if there is no such chunk
     * @return the value
     * @throws StoreException of category RETRY if another thread keeps the chunk locked
     */
    long getLong(long cid, long offset, long ifAbsent);

    /**
     * Reads 32 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param ifAbsent result if there is no such chunk
     * @return the value
     * @throws StoreException of category RETRY if another thread keeps the chunk locked
     */
    int getInt(long cid, long offset, int ifAbsent);

    /**
     * Reads 16 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param ifAbsent result if there is no such chunk
     * @return the value
     * @throws StoreException of category RETRY if another thread keeps the chunk locked
     */
    short getShort(long cid, long offset, short ifAbsent);

    /**
     * Reads 8 bits.
     *
     * @param cid the chunk
     * @param offset the byte in the chunk
     * @param ifAbsent result if there is no such chunk
     * @return the value
     * @throws StoreException of category RETRY if another thread keeps the chunk locked
     */
    byte getByte(long cid, long offset, byte ifAbsent);

    /**
     * Writes 64 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param value the new value
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putLong(long cid, long offset, long value);

    /**
     * Writes 32 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param value the new value
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putInt(long cid, long offset, int value);

    /**
     * Writes 16 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param value the new value
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putShort(long cid, long offset, short value);

    /**
     * Writes 8 bits.
     *
     * @param cid the chunk
     * @param offset the byte in the chunk
     * @param value the new value
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putByte(long cid, long offset, byte value);

    /**
     * Replaces 64 bits if they equal an expected value.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param expected the expected value
     * @param update the new value
     * @return 1 if replaced, 0 if the value differs from the expected one, or ABSENT, LOCKED, READ_ONLY
     */
    int compareAndSetLong(long cid, long offset, long expected, long update);

    /**
     * Replaces 32 bits if they equal an expected value.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param expected the expected value
     * @param update the new value
     * @return 1 if replaced, 0 if the value differs from the expected one, or ABSENT, LOCKED, READ_ONLY
     */
    int compareAndSetInt(long cid, long offset, int expected, int update);

    /**
     * Adds to 64 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param delta number to add; overflow wraps around
     * @return the previous value
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if another thread keeps the chunk locked, or the chunk is read-only
     */
    long getAndAddLong(long cid, long offset, long delta);

    /**
     * Adds to 32 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param delta number to add; overflow wraps around
     * @return the previous value
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if another thread keeps the chunk locked, or the chunk is read-only
     */
    int getAndAddInt(long cid, long offset, int delta);
}
