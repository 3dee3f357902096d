package io.teff.engine.codec;

import org.jspecify.annotations.Nullable;

/**
 * The codec of one node of a schema. A value of fixed size can be put at a place of its own, inside of what surrounds
 * it; all can be written one behind the other.
 *
 * @param <T> type of the values
 */
abstract class Part<T> implements Codec<T> {
    /** Result of {@link #fixedBytes()} when values differ in size. */
    static final int VARIABLE = -1;

    private final int fixedBytes;
    private final int bytesMin;

    /** A part of fixed size. */
    Part(int fixedBytes) {
        this(fixedBytes, fixedBytes);
    }

    Part(int fixedBytes, int bytesMin) {
        this.fixedBytes = fixedBytes;
        this.bytesMin = bytesMin;
    }

    @Override
    public final int fixedBytes() {
        return fixedBytes;
    }

    final boolean isFixed() {
        return fixedBytes >= 0;
    }

    /** Bytes that each value takes at least. */
    final int bytesMin() {
        return bytesMin;
    }

    /** What the bytes mean, as text that is the same in every program: the part of a description. */
    abstract void describe(Description description);

    /** The value of a field that was not written, because whoever wrote knew no such field. */
    @Nullable Object missing() {
        return null;
    }

    @Override
    public final long fingerprint() {
        return Description.fingerprint(Description.of(this).toString());
    }

    /** A part of fixed size. */
    abstract static class Fixed<T> extends Part<T> {
        Fixed(int bytes) {
            super(bytes);
        }

        /** Puts a value at an index of an array, where there is room. */
        abstract void put(T value, byte[] array, int at);

        /** Gets the value at an index of an array; the input is for complaints only. */
        abstract T get(byte[] array, int at, Input in);

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
