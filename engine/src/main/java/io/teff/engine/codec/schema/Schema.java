package io.teff.engine.codec.schema;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.PartialReader;
import io.teff.engine.codec.PartialWriter;
import io.teff.engine.codec.SchemaException;
import io.teff.engine.codec.partial.StackReader;
import io.teff.engine.codec.partial.StackWriter;
import io.teff.engine.codec.type.Conversion;
import io.teff.engine.codec.type.Description;
import io.teff.engine.codec.type.FieldLayout;
import io.teff.engine.codec.type.StructCodec;
import io.teff.engine.codec.type.TypeCodec;
import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A codec derived from a type, with generated code; {@code docs/OBJECTS.md} has the bytes.
 *
 * <p>Deriving takes milliseconds and is done once per type. A schema is thread-safe.
 *
 * <p><b>Versions.</b> A program that keeps or sends values keeps or sends {@link #description()} once beside them. A
 * program with other versions of the types reads the values by the schema that {@link #readerOf} makes.
 *
 * @param <T> type of the values
 */
public final class Schema<T> implements Codec<T> {
    private final Class<T> type;
    /** The type with its type arguments; equal for equal types. */
    private final Object fullType;
    private final TypeCodec<Object> root;
    private final Defaults defaults;
    private final String description;
    private final long fingerprint;
    private final boolean readsOnly;
    private final List<String> lost;

    /** The type of a codec that others compose: a container and the types of what is in it. */
    private record Composed(Class<?> type, List<Object> arguments) {}

    private Schema(Class<T> type, Object fullType, TypeCodec<Object> root, Defaults defaults, String description,
                   boolean readsOnly, List<String> lost) {
        this.type = type;
        this.fullType = fullType;
        this.root = root;
        this.defaults = defaults;
        this.description = description;
        this.fingerprint = Description.fingerprint(description);
        this.readsOnly = readsOnly;
        this.lost = lost;
    }

    /**
     * Derives a schema.
     *
     * @param <T> type of the values
     * @param type a record, class, enum, sealed type, array, or a value type of the JDK
     * @return the schema
     * @throws SchemaException if none can be derived; the message names the field
     */
    public static <T> Schema<T> of(Class<T> type) {
        return builder(type).build();
    }

    /**
     * Derives the schema of a type with type arguments.
     *
     * @param <T> type of the values
     * @param type such as {@code new TypeToken<List<String>>() {}}
     * @return the schema
     * @throws SchemaException if none can be derived; the message names the field
     */
    public static <T> Schema<T> of(TypeToken<T> type) {
        return builder(type).build();
    }

    /**
     * Derives a schema with options.
     *
     * @param <T> type of the values
     * @param type as for {@link #of(Class)}
     * @return a builder
     */
    public static <T> Builder<T> builder(Class<T> type) {
        return new Builder<>(new TypeRef.Rooted<>(TypeRef.of(type), type));
    }

    /**
     * Derives the schema of a type with type arguments, with options.
     *
     * @param <T> type of the values
     * @param type as for {@link #of(TypeToken)}
     * @return a builder
     */
    public static <T> Builder<T> builder(TypeToken<T> type) {
        return new Builder<>(TypeRef.of(type));
    }

    /** Makes a schema of a codec that others compose. */
    static <T> Schema<T> of(Class<T> type, List<Object> arguments, TypeCodec<Object> root) {
        return new Schema<>(type, new Composed(type, arguments), root, Defaults.NONE, Description.of(root).toString(),
            false, List.of());
    }

    /**
     * Options of a schema. Not thread-safe.
     *
     * @param <T> type of the values
     */
    public static final class Builder<T> {
        private final TypeRef ref;
        private final Class<T> type;
        private final Map<Defaults.Field, Object> values = new HashMap<>();
        private final Map<Class<?>, Object> overrides = new HashMap<>();
        private MethodHandles.@Nullable Lookup lookup;
        private boolean compact;

        private Builder(TypeRef.Rooted<T> root) {
            if (root.raw().isPrimitive()) {
                throw new SchemaException(root.raw() + " is primitive; use the class of its boxed values", null);
            }
            this.ref = root.type();
            this.type = root.raw();
        }

        /**
         * Sets the access to types in packages that are not open to Teff.
         *
         * @param value lookup with private access to these packages
         * @return this
         */
        public Builder<T> lookup(MethodHandles.Lookup value) {
            lookup = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Writes int and long fields in as few bytes as their values need (zigzag LEB128). They have no fixed offsets.
         *
         * @return this
         */
        public Builder<T> compact() {
            compact = true;
            return this;
        }

        /**
         * Uses a hand-written codec for all values of a type, wherever they occur. Their length precedes their bytes.
         * Another version must use a codec with the same fingerprint, or not have the fields. A codec that calls a
         * schema must limit the nesting itself.
         *
         * @param <V> the type
         * @param values class of the type, without its subclasses; not primitive
         * @param codec codec of the values
         * @return this
         */
        public <V> Builder<T> codec(Class<V> values, Codec<V> codec) {
            override(values, Objects.requireNonNull(codec));
            return this;
        }

        /**
         * Stores all values of a type, at any place, as values of another type with a schema.
         *
         * @param <V> the type
         * @param <S> the stored type
         * @param values class of the type, without its subclasses; not primitive
         * @param stored class of the stored type; another class, without type parameters
         * @param to makes a stored value, not null
         * @param from makes a value of a stored one, not null; may throw
         * @return this
         */
        public <V, S> Builder<T> storeAs(Class<V> values, Class<S> stored, Function<V, S> to, Function<S, V> from) {
            if (stored.isPrimitive()) {
                throw new SchemaException(stored + " is primitive; use the class of its boxed values", null);
            }
            override(values, new Mapping(TypeRef.of(stored), new Conversion<>(values, Objects.requireNonNull(to),
                Objects.requireNonNull(from))));
            return this;
        }

        private void override(Class<?> values, Object codecOrMapping) {
            if (values.isPrimitive()) {
                throw new SchemaException(values + " is primitive; only classes can have another codec", null);
            }
            if (overrides.putIfAbsent(values, codecOrMapping) != null) {
                throw new SchemaException(values.getName() + " already has another codec", null);
            }
        }

        /**
         * Sets the value of a field for values written by a version without the field. The default is 0, false, empty
         * (arrays, collections, maps and optional values), or null.
         *
         * @param owner record or class that declares the field
         * @param field name of the field
         * @param value used for all values, so it should be immutable
         * @return this
         */
        public Builder<T> ifMissing(Class<?> owner, String field, Object value) {
            values.put(new Defaults.Field(owner, field), Objects.requireNonNull(value));
            return this;
        }

        /**
         * Derives the schema.
         *
         * @return the schema
         * @throws SchemaException if none can be derived; the message names the field
         */
        public Schema<T> build() {
            Defaults defaults = new Defaults(values);
            Derivation derivation = new Derivation(lookup, compact, overrides, defaults);
            TypeCodec<Object> root = derivation.codec(ref, type.getSimpleName());
            derivation.checkAll(type);
            return new Schema<>(type, ref, root, defaults, Description.of(root).toString(), false, List.of());
        }
    }

    /** {@return the class of the values} */
    public Class<T> type() {
        return type;
    }

    /** Returns the codec of the type. */
    TypeCodec<Object> root() {
        requireWriting();
        return root;
    }

    /** Returns the type of a codec's values with type arguments, or the codec itself if that is not known. */
    static Object fullType(Codec<?> codec) {
        return codec instanceof Schema<?> schema ? schema.fullType : codec;
    }

    /**
     * Returns whether values of this schema are of the type of another one, type arguments included: then both read and
     * write the same Java values, if they have the same bytes. Different types may have the same bytes, such as a
     * record and the record's replacement.
     *
     * @param other any codec
     * @return false only if the other codec is a schema of another type
     */
    public boolean hasTypeOf(Codec<?> other) {
        return !(other instanceof Schema<?> schema) || isSame(fullType, schema.fullType);
    }

    /** Returns whether two types can be the same; a codec stands for a type that is not known. */
    private static boolean isSame(Object type, Object other) {
        if (type instanceof Codec || other instanceof Codec) {
            return true;
        }
        List<?> arguments = arguments(type);
        List<?> others = arguments(other);
        boolean isSame = raw(type).equals(raw(other)) && arguments.size() == others.size();
        for (int i = 0; isSame && i < arguments.size(); i++) {
            isSame = isSame(arguments.get(i), others.get(i));
        }
        return isSame;
    }

    private static Class<?> raw(Object type) {
        return type instanceof Composed composed ? composed.type : ((TypeRef) type).raw();
    }

    private static List<?> arguments(Object type) {
        return type instanceof Composed composed ? composed.arguments : ((TypeRef) type).arguments();
    }

    /**
     * Describes the bytes for readers of other versions: names and types of the fields, names of constants and
     * subclasses.
     *
     * @return the description; the fingerprint is its hash
     */
    public String description() {
        return description;
    }

    /** {@return the type, for people} */
    @Override
    public String toString() {
        return "Schema of " + text(fullType) + (readsOnly ? ", of another version, reads only" : "");
    }

    private static String text(Object type) {
        return switch (type) {
            case TypeRef ref -> ref.raw().getTypeName()
                + (ref.raw().isArray() || ref.arguments().isEmpty() ? "" : text(ref.arguments()));
            case List<?> all -> all.stream().map(Schema::text).collect(Collectors.joining(", ", "<", ">"));
            case Composed composed -> composed.type.getTypeName() + text(composed.arguments);
            default -> type.toString();
        };
    }

    @Override
    public String describe() {
        return description;
    }

    /**
     * Makes a schema that reads values written by another version of the types.
     *
     * <p>Fields are matched by name. A field that the other version does not have takes the value set by {@link
     * Builder#ifMissing}, or else 0, false, empty or null. A field that this version does not have is skipped. A number
     * may be read as a wider one, and a value as {@link java.util.Optional} of it. Constants and subclasses are matched
     * by name, too; a value with one that this version does not have causes a {@link MalformedException}.
     *
     * @param written {@link #description()} of the other version
     * @return a schema that reads and cannot write, with the {@link #offset} of the other version
     * @throws SchemaException if values of that version cannot be read as values of this one, naming the field, or if
     *     {@code written} is not a description
     */
    @Override
    public Schema<T> readerOf(String written) {
        return written.equals(description) ? this : evolved(written);
    }

    /**
     * {@inheritDoc} The names of classes do not matter, nor constants and subclasses that this version has in addition,
     * behind all others; fields, constants and subclasses may be {@link io.teff.engine.codec.Formerly renamed}.
     */
    @Override
    public boolean hasBytesOf(String written) {
        try {
            return written.equals(description) || new SameBytes().matches(DescriptionParser.parse(written), root);
        } catch (SchemaException e) {
            return false;                                       // of a codec that is not a schema
        }
    }

    /** Makes a schema that reads another version, even if both descriptions are equal. */
    Schema<T> evolved(String written) {
        Evolution evolution = new Evolution(defaults);
        TypeCodec<Object> reader = evolution.codec(DescriptionParser.parse(written), root, type.getSimpleName());
        return new Schema<>(type, fullType, reader, defaults, written, true, evolution.lost());
    }

    /**
     * Checks that programs of two versions can change the values of one collection at the same time: each program reads
     * the values of both versions, by the rules of {@link #readerOf}.
     *
     * @param other {@link #description()} of the second version
     * @throws SchemaException if a program could not read a value, or if a field was renamed; names the field
     */
    public void requireBeside(String other) {
        Evolution evolution = new Evolution(defaults);
        String path = type.getSimpleName();
        Shape theirs = DescriptionParser.parse(other);
        Shape ours = DescriptionParser.parse(description);
        evolution.codec(theirs, root, path);
        MutualReading reading = new MutualReading();
        reading.check(theirs, ours, path);
        new MutualReading().check(ours, theirs, path);
        Set<String> renamed = new TreeSet<>(reading.lost());
        evolution.lost().forEach(renamed::remove);
        if (!renamed.isEmpty()) {
            throw new SchemaException(renamed + ": programs of the other version do not know the new names of these "
                + "fields", null);
        }
    }

    /**
     * Makes a writer over values of a version with more fields.
     *
     * @param written {@link #description()} of the version with more fields
     * @return the writer; null if this version has all of these fields, so that nothing would be lost
     * @throws SchemaException if the further fields cannot keep their content; names the fields
     */
    public @Nullable FieldKeeper<T> keeperOf(String written) {
        Evolution evolution = new Evolution(defaults);
        Shape shape = DescriptionParser.parse(written);
        String path = type.getSimpleName();
        evolution.codec(shape, root, path);
        if (evolution.lost().isEmpty()) {
            return null;
        }
        if (!(shape instanceof Shape.Struct struct) || !(root instanceof StructCodec own)) {
            throw new SchemaException(evolution.lost() + ": these fields would lose their content", null);
        }
        return FieldKeeper.of(this, own.layout(), struct, evolution.lost(), path);
    }

    /**
     * Returns the fields of the other version that values read by this schema lack, such as {@code
     * Order.lines[].price}. Values that are read and then written again have lost the content of these fields.
     *
     * @return paths in this version's types; empty unless {@link #readerOf} has made this schema
     */
    public List<String> lost() {
        return lost;
    }

    /**
     * {@inheritDoc}
     *
     * @throws UnsupportedOperationException if this schema reads another version
     */
    @Override
    public void write(T value, Output out) {
        requireWriting();
        root.write(Objects.requireNonNull(value), out);
    }

    private void requireWriting() {
        if (readsOnly) {
            throw new UnsupportedOperationException("this schema reads values of another version of " + type.getName()
                + "; write them with the schema of this version");
        }
    }

    @Override
    public T read(Input in) {
        try {
            return type.cast(root.read(in));
        } catch (MalformedException e) {
            throw e;
        } catch (Exception | StackOverflowError e) {            // of a constructor, or of hash codes of deep keys
            throw new MalformedException(in.offset(), "values that " + type.getName() + " rejects", e);
        }
    }

    /**
     * Makes a writer for values in consecutive windows.
     *
     * @return a writer for one value at a time
     * @throws UnsupportedOperationException if this schema reads another version
     */
    @Override
    public PartialWriter<T> partialWriter() {
        requireWriting();
        return new StackWriter<>(root);
    }

    /**
     * Makes a reader for values in consecutive windows.
     *
     * @param bytesMax largest size of a value in bytes
     * @return a reader for one value at a time
     */
    @Override
    public PartialReader<T> partialReader(int bytesMax) {
        return new StackReader<>(type, root, bytesMax);
    }

    @Override
    public long fingerprint() {
        return fingerprint;
    }

    @Override
    public int fixedBytes() {
        return root.fixedBytes();
    }

    /**
     * Returns the offset of a field in all values, for access in place.
     *
     * @param name name of a field of fixed size
     * @return bytes from the start of the value
     * @throws IllegalArgumentException if the offset varies, or there is no such field
     */
    public int offset(String name) {
        if (root instanceof StructCodec struct) {
            for (FieldLayout.Field field : struct.layout().fields()) {
                if (field.name().equals(name) && field.isFixed()) {
                    return field.offset();
                }
            }
        }
        throw new IllegalArgumentException(type.getName() + " has no field " + name + " of fixed size");
    }
}
