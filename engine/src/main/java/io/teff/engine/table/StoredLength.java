package io.teff.engine.table;

/**
 * Where the length of a chunk is kept, and how many bytes a chunk needs therefore. Pure functions, no memory access.
 * <pre>
 *  length 0             no memory, address 0
 *  length 1..2046       | payload |                      length in the entry
 *  length 2047 and up   | length (8) | payload |         the entry's address is the payload's
 * </pre>
 */
public final class StoredLength {
    /** Bytes of a length in front of its payload. */
    public static final int FRONT_BYTES = Long.BYTES;

    private StoredLength() {}

    /**
     * Returns whether a length is kept in front of the payload, because it is too large for the entry.
     *
     * @param length of a chunk, in bytes
     * @return true from 2,047 on
     */
    public static boolean isInFront(long length) {
        return length > EntryWord.LENGTH_EMBEDDED_MAX;
    }

    /**
     * Returns the bytes that a chunk needs: the payload, and the length if stored in front.
     *
     * @param length of a chunk, in bytes
     * @return bytes
     */
    public static long bytes(long length) {
        return isInFront(length) ? length + FRONT_BYTES : length;
    }

    /**
     * Returns the length field of a chunk's entry.
     *
     * @param length of a chunk, in bytes
     * @return the length, or {@link EntryWord#LENGTH_IN_FRONT}
     */
    public static int field(long length) {
        return isInFront(length) ? EntryWord.LENGTH_IN_FRONT : (int) length;
    }
}
