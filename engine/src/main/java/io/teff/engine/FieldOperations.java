package io.teff.engine;

import io.teff.engine.error.StoreException;
import java.util.NoSuchElementException;

/**
 * Single values inside chunks, read and changed in place, little-endian at any offset.
 *
 * <p>Writes, compare-and-set and add are atomic with respect to every other operation on the chunk, whatever the
 * field's alignment, and have the memory order of a lock: what a thread wrote before a put is visible to a thread that
 * reads the value.
 *
 * <p>A field outside the chunk is a mistake of the caller and throws {@link IndexOutOfBoundsException}. Thread-safe.
 */
public interface FieldOperations {
    /**
     * Reads 64 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param ifAbsent what to return if there is no such chunk
     * @return the value
     * @throws StoreException of category RETRY if another thread keeps the chunk locked
     */
    long getLong(long cid, long offset, long ifAbsent);

    /**
     * Reads 32 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param ifAbsent what to return if there is no such chunk
     * @return the value
     */
    int getInt(long cid, long offset, int ifAbsent);

    /**
     * Reads 16 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param ifAbsent what to return if there is no such chunk
     * @return the value
     */
    short getShort(long cid, long offset, short ifAbsent);

    /**
     * Reads 8 bits.
     *
     * @param cid the chunk
     * @param offset the byte in the chunk
     * @param ifAbsent what to return if there is no such chunk
     * @return the value
     */
    byte getByte(long cid, long offset, byte ifAbsent);

    /**
     * Writes 64 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param value what to write
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putLong(long cid, long offset, long value);

    /**
     * Writes 32 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param value what to write
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putInt(long cid, long offset, int value);

    /**
     * Writes 16 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param value what to write
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putShort(long cid, long offset, short value);

    /**
     * Writes 8 bits.
     *
     * @param cid the chunk
     * @param offset the byte in the chunk
     * @param value what to write
     * @return OK, ABSENT, LOCKED or READ_ONLY
     */
    int putByte(long cid, long offset, byte value);

    /**
     * Replaces 64 bits if they are as expected.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param expected what must be there
     * @param update what to write
     * @return 1 if replaced, 0 if something else was there, or ABSENT, LOCKED, READ_ONLY
     */
    int compareAndSetLong(long cid, long offset, long expected, long update);

    /**
     * Replaces 32 bits if they are as expected.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param expected what must be there
     * @param update what to write
     * @return 1 if replaced, 0 if something else was there, or ABSENT, LOCKED, READ_ONLY
     */
    int compareAndSetInt(long cid, long offset, int expected, int update);

    /**
     * Adds to 64 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param delta what to add; overflow wraps
     * @return the value before
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if the chunk stays locked by another thread or is read-only
     */
    long getAndAddLong(long cid, long offset, long delta);

    /**
     * Adds to 32 bits.
     *
     * @param cid the chunk
     * @param offset first byte in the chunk
     * @param delta what to add; overflow wraps
     * @return the value before
     * @throws NoSuchElementException if there is no such chunk
     * @throws StoreException of category RETRY if the chunk stays locked by another thread or is read-only
     */
    int getAndAddInt(long cid, long offset, int delta);
}
