package io.teff.engine.codec;

/**
 * Writes one value into consecutive windows: each call fills its window to the last byte, at any byte of any field, and
 * the next call continues there. The windows together contain exactly the bytes that {@link Codec#write} produces. The
 * value must not change until it is written completely. Not thread-safe.
 *
 * @param <T> type of the values
 */
public interface PartialWriter<T> {
    /**
     * Starts a value and discards the rest of the current one.
     *
     * @param value not null
     */
    void begin(T value);

    /**
     * Reports whether the whole value is written.
     *
     * @return false if {@link #write} must be called again
     */
    boolean isDone();

    /**
     * Writes the next bytes.
     *
     * @param array array that contains the window
     * @param from index of its first byte
     * @param length bytes in the window
     * @return bytes written; fewer than {@code length} only at the end of the value
     */
    int write(byte[] array, int from, int length);
}
