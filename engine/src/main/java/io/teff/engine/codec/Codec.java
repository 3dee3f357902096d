package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/**
 * Turns values of one type into bytes and back. Implementations are thread-safe and keep no state of a call.
 *
 * @param <T> type of the values
 */
public interface Codec<T> {
    /**
     * Writes a value behind what is there.
     *
     * @param value not null
     * @param out where to
     * @throws IndexOutOfBoundsException if a window of fixed size is too small; what was written before is undefined
     */
    void write(T value, Output out);

    /**
     * Reads a value.
     *
     * @param in where from; its position is behind the value afterwards
     * @return a new value, not null
     * @throws MalformedException if these are not the bytes of such a value
     */
    T read(Input in);

    /**
     * Says what the bytes mean: two codecs with the same fingerprint read what the other writes.
     *
     * @return 64 bits that never change for a codec
     */
    long fingerprint();

    /**
     * Says the same as the fingerprint, to people. What lies under a name in a store was written by a codec with this
     * text.
     *
     * @return a text that never changes for a codec
     */
    default String describe() {
        return getClass().getName() + " " + Long.toHexString(fingerprint());
    }

    /**
     * Bytes of each value, if all have the same number.
     *
     * @return the number, or -1
     */
    default int fixedBytes() {
        return -1;
    }

    /**
     * Writes values in pieces, if the codec can. The bytes are those that {@link #write} makes at once.
     *
     * @return a writer for one value at a time, or null
     */
    default @Nullable PartialWriter<T> partialWriter() {
        return null;
    }

    /**
     * Reads values from pieces, if the codec can: a value must say where it ends.
     *
     * @param bytesMax the most bytes that a value may take
     * @return a reader for one value at a time, or null
     */
    default @Nullable PartialReader<T> partialReader(int bytesMax) {
        return null;
    }
}
