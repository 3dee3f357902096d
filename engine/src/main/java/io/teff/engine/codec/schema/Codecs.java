package io.teff.engine.codec.schema;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.PartialWriter;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.partial.StackReader;
import io.teff.engine.codec.partial.StackWriter;
import io.teff.engine.codec.type.BoxCodec;
import io.teff.engine.codec.type.CollectionCodec;
import io.teff.engine.codec.type.CustomCodec;
import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.MapCodec;
import io.teff.engine.codec.type.OptionalCodec;
import io.teff.engine.codec.type.PrimitiveArrayCodec;
import io.teff.engine.codec.type.RawBytesCodec;
import io.teff.engine.codec.type.Scalar;
import io.teff.engine.codec.type.StringCodec;
import io.teff.engine.codec.type.TypeCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Ready-made codecs of the most frequent keys and values. {@link Schema} derives codecs of other types. */
public final class Codecs {
    private static final String LONG_NAME = "long";
    private static final String INT_NAME = "int";

    /** Codec of numbers in 8 bytes, little-endian. Maps with such keys have variants without boxing. */
    public static final Codec<Long> LONG = new Functions<>(LONG_NAME, Long.BYTES, (value, out) -> out.putLong(value),
        Input::getLong, null, null);
    /** Codec of numbers in 4 bytes, little-endian. */
    public static final Codec<Integer> INT = new Functions<>(INT_NAME, Integer.BYTES, (value, out) -> out.putInt(value),
        Input::getInt, null, null);
    /** Codec of strings: the length, then one byte per char, or two if a char is above 255. */
    public static final Codec<String> STRING = new Functions<>("string", -1, (value, out) -> out.putString(value),
        Input::getString, StringCodec.INSTANCE, String.class);
    /**
     * Codec of bytes as they are, up to the end of the input: for keys, values and elements, not for fields of objects.
     * The bytes do not contain their length, so there is a partial writer and no partial reader.
     */
    public static final Codec<byte[]> BYTES = new Functions<>("bytes", -1, RawBytesCodec.INSTANCE::write,
        RawBytesCodec.INSTANCE::read, RawBytesCodec.INSTANCE, null);

    /** Reads ints as longs. */
    private static final Codec<Long> WIDENED = new Functions<>(INT_NAME, Integer.BYTES, (value, out) -> {
        throw new UnsupportedOperationException("a long is written as an int");
    }, in -> (long) in.getInt(), null, null);

    private Codecs() {}

    /**
     * Returns the codec of a type: one of the constants, or a {@link Schema}.
     *
     * @param <T> type of the values
     * @param type class of the values
     * @return the codec
     * @throws SchemaException if none can be derived; the message names the field
     */
    @SuppressWarnings("unchecked")
    public static <T> Codec<T> of(Class<T> type) {
        Codec<?> codec = type == Long.class ? LONG : type == Integer.class ? INT : type == String.class ? STRING
            : type == byte[].class ? BYTES : Schema.of(type);
        return (Codec<T>) codec;
    }

    /**
     * Returns the codec of a type with type arguments, such as {@code new TypeToken<List<String>>() {}}.
     *
     * @param <T> type of the values
     * @param type a token of the type with its arguments
     * @return the codec
     * @throws SchemaException if none can be derived; the message names the field
     */
    @SuppressWarnings("unchecked")
    public static <T> Codec<T> of(TypeToken<T> type) {
        return type.type() instanceof Class<?> plain ? (Codec<T>) of(plain) : Schema.of(type);
    }

    /**
     * Returns the codec of lists. It has the bytes of {@code of(new TypeToken<List<E>>() {})} if the elements' codec is
     * a schema or a constant of this class; others are hand-written codecs inside of a schema.
     *
     * @param <E> type of the elements
     * @param elements codec of the elements
     * @return the codec; values that are read can be changed
     */
    public static <E> Codec<List<E>> list(Codec<E> elements) {
        return composed(List.class, List.of(Schema.fullType(elements)),
            new CollectionCodec(part(elements), Containers.list()));
    }

    /**
     * Returns the codec of sets, as {@link #list} does. A set is read in the order in which it was written.
     *
     * @param <E> type of the elements
     * @param elements codec of the elements
     * @return the codec; values that are read can be changed
     */
    public static <E> Codec<Set<E>> set(Codec<E> elements) {
        return composed(Set.class, List.of(Schema.fullType(elements)),
            new CollectionCodec(part(elements), Containers.set()));
    }

    /**
     * Returns the codec of maps, as {@link #list} does. A map is read in the order in which it was written.
     *
     * @param <K> type of the keys
     * @param <V> type of the values
     * @param keys codec of the keys
     * @param values codec of the values
     * @return the codec; values that are read can be changed
     */
    public static <K, V> Codec<Map<K, V>> map(Codec<K> keys, Codec<V> values) {
        return composed(Map.class, List.of(Schema.fullType(keys), Schema.fullType(values)),
            new MapCodec(part(keys), part(values), Containers.map()));
    }

    /**
     * Returns the codec of optional values, as {@link #list} does.
     *
     * @param <T> type of the values
     * @param values codec of the values
     * @return the codec
     */
    public static <T> Codec<Optional<T>> optional(Codec<T> values) {
        return composed(Optional.class, List.of(Schema.fullType(values)), new OptionalCodec(part(values)));
    }

    @SuppressWarnings("unchecked")
    private static <T> Codec<T> composed(Class<?> type, List<Object> arguments, TypeCodec<?> root) {
        return (Codec<T>) Schema.of(type, arguments, (TypeCodec<Object>) root);
    }

    /** Returns the codec of a part of other values. */
    @SuppressWarnings("unchecked")
    private static TypeCodec<Object> part(Codec<?> codec) {
        TypeCodec<?> known = codec instanceof Schema<?> schema ? schema.root()
            : codec.equals(LONG) ? new BoxCodec(Scalar.LONG) : codec.equals(INT) ? new BoxCodec(Scalar.INT)
            : codec.equals(STRING) ? StringCodec.INSTANCE : codec.equals(BYTES) ? new PrimitiveArrayCodec(Scalar.BYTE)
            : new CustomCodec(Object.class, codec);
        return (TypeCodec<Object>) known;
    }

    /**
     * A codec that calls two functions.
     *
     * @param windows codec for windows, or null if they are not supported
     * @param readable class of the values that can be read from windows, or null
     */
    private record Functions<T>(String name, int fixedBytes, BiConsumer<T, Output> writer, Function<Input, T> reader,
                                @Nullable TypeCodec<T> windows, @Nullable Class<T> readable) implements Codec<T> {
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
            return windows == null ? null : new StackWriter<>((TypeCodec<Object>) windows);
        }

        @Override
        @SuppressWarnings("unchecked")
        public @Nullable PartialReader<T> partialReader(int bytesMax) {
            return windows == null || readable == null ? null
                : new StackReader<>(readable, (TypeCodec<Object>) windows, bytesMax);
        }

        @Override
        public long fingerprint() {
            return Description.fingerprint(name);
        }

        @Override
        public String describe() {
            return name;
        }

        /** Accepts the schema of the same type, which has the same bytes. */
        @Override
        public boolean hasBytesOf(String written) {
            TypeCodec<?> schema = name.equals(LONG_NAME) ? new BoxCodec(Scalar.LONG)
                : name.equals(INT_NAME) ? new BoxCodec(Scalar.INT)
                : windows == RawBytesCodec.INSTANCE ? null : windows;   // bytes to the end are no part of a schema
            return written.equals(name) || schema != null && written.equals(Description.of(schema).toString());
        }

        /** Reads an int as a long, too. */
        @Override
        public Codec<T> readerOf(String written) {
            if (name.equals(LONG_NAME) && (INT.hasBytesOf(written))) {
                @SuppressWarnings("unchecked")
                Codec<T> widened = (Codec<T>) WIDENED;
                return widened;
            }
            return Codec.super.readerOf(written);
        }

        @Override
        public String toString() {
            return name;
        }
    }
}
