package io.teff.engine.codec;

import io.teff.engine.os.FailureText;
import org.jspecify.annotations.Nullable;

/**
 * Encodes values of one type as bytes and decodes them. Implementations are thread-safe and keep no state between
 * calls.
 *
 * @param <T> type of the values
 */
public interface Codec<T> {
    /**
     * Writes a value at the output's position. A codec that writes a value of another codec calls {@link
     * Output#putValue} for the inner value.
     *
     * @param value not null
     * @param out target
     * @throws IndexOutOfBoundsException if a window of fixed size is too small; its content is undefined afterwards
     */
    void write(T value, Output out);

    /**
     * Reads a value at the input's position, which is behind the value afterwards.
     *
     * @param in source
     * @return a new value, not null
     * @throws MalformedException if the bytes do not encode such a value
     */
    T read(Input in);

    /**
     * Returns a hash of the encoding: codecs with equal fingerprints read each other's bytes.
     *
     * @return 64 bits that never change for a codec
     */
    long fingerprint();

    /**
     * Describes the encoding as readable text. A store keeps this text of the codec that wrote a named collection.
     *
     * @return a text that never changes for a codec
     */
    default String describe() {
        return getClass().getName() + " " + Long.toHexString(fingerprint());
    }

    /**
     * Returns whether another codec and this codec write the same bytes for each value. Then a named collection of the
     * other codec is a collection of this codec, too. By default, the result is true for codecs with the same
     * fingerprint, regardless of the names of their classes.
     *
     * @param written {@link #describe} of the other codec
     * @return true if this codec may read its values, and write values beside them
     */
    default boolean hasBytesOf(String written) {
        return written.equals(describe()) || written.endsWith(" " + Long.toHexString(fingerprint()));
    }

    /**
     * Makes a codec that reads the values written by another codec as values of this codec, to migrate a collection. By
     * default only codecs whose bytes are the same are readable; a hand-written codec that has changed may recognize
     * its older descriptions.
     *
     * @param written {@link #describe} of the other codec
     * @return a codec that need not write, with the {@link #fixedBytes} of the other codec
     * @throws SchemaException if values of that codec cannot be read; the message says why
     */
    default Codec<T> readerOf(String written) {
        if (hasBytesOf(written)) {
            return this;
        }
        String own = describe();
        throw new SchemaException("values of " + FailureText.excerpt(written, own) + " cannot be read as "
            + FailureText.excerpt(own, written), null);
    }

    /**
     * Returns the size of each value, if all values have the same size. A value that is written with another size is
     * refused ({@link Output#putValue}).
     *
     * @return size in bytes, or -1 if it varies
     */
    default int fixedBytes() {
        return -1;
    }

    /**
     * Makes a writer for values in consecutive windows, if the codec supports it. The bytes are those of {@link
     * #write}.
     *
     * @return a writer for one value at a time, or null
     */
    default @Nullable PartialWriter<T> partialWriter() {
        return null;
    }

    /**
     * Makes a reader for values in consecutive windows, if the codec supports it: the bytes of a value must determine
     * where it ends.
     *
     * @param bytesMax largest size of a value in bytes
     * @return a reader for one value at a time, or null
     */
    default @Nullable PartialReader<T> partialReader(int bytesMax) {
        return null;
    }
}
