package io.teff.engine.codec.type;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import org.jspecify.annotations.Nullable;

/**
 * The codec of a type in a schema, composed of the codecs of the contained types.
 *
 * @param <T> type of the values
 */
public abstract class TypeCodec<T> implements Codec<T> {
    /** Result of {@link #fixedBytes()} if values differ in size. */
    public static final int VARIABLE = -1;

    private final int fixedBytes;
    private final int bytesMin;

    /** Makes a codec of values of a fixed size. */
    TypeCodec(int fixedBytes) {
        this(fixedBytes, fixedBytes);
    }

    TypeCodec(int fixedBytes, int bytesMin) {
        this.fixedBytes = fixedBytes;
        this.bytesMin = bytesMin;
    }

    @Override
    public final int fixedBytes() {
        return fixedBytes;
    }

    /** Returns whether all values have the same size. */
    public final boolean isFixed() {
        return fixedBytes >= 0;
    }

    /** Returns the least size of a value in bytes. */
    public final int bytesMin() {
        return bytesMin;
    }

    /** Appends this type to the description of a schema. */
    abstract void describe(Description description);

    /** Returns the value of a field that the writer's version does not have. */
    public @Nullable Object missing() {
        return null;
    }

    @Override
    public final long fingerprint() {
        return Description.fingerprint(Description.of(this).toString());
    }

    /** A codec of values of a fixed size, which can be put at an index inside their surroundings. */
    public abstract static class Fixed<T> extends TypeCodec<T> {
        Fixed(int bytes) {
            super(bytes);
        }

        /** Puts a value at an index of an array, where {@link #fixedBytes()} bytes are reserved. */
        public abstract void put(T value, byte[] array, int at);

        /** Returns the value at an index of an array; {@code in} only makes exceptions. */
        public abstract T get(byte[] array, int at, Input in);

        @Override
        public final void write(T value, Output out) {
            int at = out.take(fixedBytes());
            put(value, out.array(), at);
        }

        @Override
        public final T read(Input in) {
            int at = in.take(fixedBytes());
            return get(in.array(), at, in);
        }
    }
}
