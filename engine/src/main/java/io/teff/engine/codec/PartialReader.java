package io.teff.engine.codec;

/**
 * Reads one value from consecutive windows of its bytes. A window may end at any byte of any field; the next window
 * continues at the following byte. Not thread-safe.
 *
 * @param <T> type of the values
 */
public interface PartialReader<T> {
    /** Starts the next value and discards the read part of the current one. */
    void begin();

    /**
     * Reports whether the value is complete.
     *
     * @return whether {@link #value()} may be called
     */
    boolean isDone();

    /**
     * Returns the value. All of its bytes must have been read.
     *
     * @return the value, not null
     * @throws IllegalStateException if bytes are missing
     */
    T value();

    /**
     * Reads the next window.
     *
     * @param array array that contains the window
     * @param from index of its first byte
     * @param length bytes in the window
     * @return bytes consumed: {@code length}, or fewer if the value ends inside the window
     * @throws MalformedException if the bytes do not encode such a value
     */
    int read(byte[] array, int from, int length);
}
