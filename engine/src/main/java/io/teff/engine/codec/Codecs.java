package io.teff.engine.codec;

import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Codecs of what keys and values are most often. A {@link Schema} does for every other type. */
public final class Codecs {
    /** Numbers in 8 bytes, little-endian. Maps with these keys have forms without boxes. */
    public static final Codec<Long> LONG = new Given<>("long", Long.BYTES, (value, out) -> out.putLong(value),
        Input::getLong, null, null);
    /** Numbers in 4 bytes, little-endian. */
    public static final Codec<Integer> INT = new Given<>("int", Integer.BYTES, (value, out) -> out.putInt(value),
        Input::getInt, null, null);
    /** Strings with a length in front, one byte per char, or two if one of them is above 255. */
    public static final Codec<String> STRING = new Given<>("string", -1, (value, out) -> out.putString(value),
        Input::getString, StringPart.INSTANCE, String.class);
    /**
     * Bytes as they are, to the end of the input: for keys, values and elements, not for parts of other objects. They
     * do not say where they end, so they can be written in pieces and not read from them.
     */
    public static final Codec<byte[]> BYTES = new Given<>("bytes", -1, RestPart.INSTANCE::write,
        RestPart.INSTANCE::read, RestPart.INSTANCE, null);

    private Codecs() {}

    /**
     * The codec of a type: one of those above, or a {@link Schema}.
     *
     * @param <T> type of the values
     * @param type their class
     * @return the codec
     * @throws SchemaException if there is none, naming the field
     */
    @SuppressWarnings("unchecked")
    public static <T> Codec<T> of(Class<T> type) {
        Codec<?> given = type == Long.class ? LONG : type == Integer.class ? INT : type == String.class ? STRING
            : type == byte[].class ? BYTES : Schema.of(type);
        return (Codec<T>) given;
    }

    /**
     * A codec of two functions.
     *
     * @param pieces writes in pieces, if it can be done
     * @param whole what is read from pieces, if it can be done
     */
    private record Given<T>(String name, int fixedBytes, BiConsumer<T, Output> writer, Function<Input, T> reader,
                            @Nullable Part<T> pieces, @Nullable Class<T> whole) implements Codec<T> {
        @Override
        public void write(T value, Output out) {
            writer.accept(value, out);
        }

        @Override
        public T read(Input in) {
            return reader.apply(in);
        }

        @Override
        @SuppressWarnings("unchecked")
        public @Nullable PartialWriter<T> partialWriter() {
            return pieces == null ? null : new PartialWriter<>((Part<Object>) pieces);
        }

        @Override
        @SuppressWarnings("unchecked")
        public @Nullable PartialReader<T> partialReader(int bytesMax) {
            return pieces == null || whole == null ? null
                : new PartialReader<>(whole, (Part<Object>) pieces, bytesMax);
        }

        @Override
        public long fingerprint() {
            return Description.fingerprint(name);
        }

        @Override
        public String describe() {
            return name;
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
