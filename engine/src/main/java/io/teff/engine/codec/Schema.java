package io.teff.engine.codec;

import java.lang.invoke.MethodHandles;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A codec that is derived from a type, with code generated for it; see {@code docs/OBJECTS.md} for the bytes.
 *
 * <p>Making one takes milliseconds and is done once per type; using it is thread-safe.
 *
 * <p><b>Versions.</b> Whoever keeps or sends values keeps or sends {@link #description()} once beside them. A program
 * whose types have changed meanwhile reads them by {@link #readerOf}.
 *
 * @param <T> type of the values
 */
public final class Schema<T> implements Codec<T> {
    private final Class<T> type;
    private final Part<Object> root;
    private final Defaults defaults;
    private final String description;
    private final long fingerprint;
    private final boolean readsOnly;

    private Schema(Class<T> type, Part<Object> root, Defaults defaults, String description, boolean readsOnly) {
        this.type = type;
        this.root = root;
        this.defaults = defaults;
        this.description = description;
        this.fingerprint = Description.fingerprint(description);
        this.readsOnly = readsOnly;
    }

    /**
     * Derives a schema.
     *
     * @param <T> type of the values
     * @param type a record, class, enum, sealed type, array, or a value type of the JDK
     * @return the schema
     * @throws SchemaException if there is none; the message names the field
     */
    public static <T> Schema<T> of(Class<T> type) {
        return builder(type).build();
    }

    /**
     * Derives a schema with options.
     *
     * @param <T> type of the values
     * @param type as above
     * @return a builder
     */
    public static <T> Builder<T> builder(Class<T> type) {
        return new Builder<>(type);
    }

    /**
     * Options of a schema. Not thread-safe.
     *
     * @param <T> type of the values
     */
    public static final class Builder<T> {
        private final Class<T> type;
        private final Map<Defaults.Field, Object> values = new HashMap<>();
        private final Map<Class<?>, Object> given = new HashMap<>();
        private MethodHandles.@Nullable Lookup lookup;
        private boolean compact;

        private Builder(Class<T> type) {
            if (type.isPrimitive()) {
                throw new SchemaException(type + " is primitive; take the class of its boxed values", null);
            }
            this.type = type;
        }

        /**
         * For types in a package that is not open to Teff.
         *
         * @param value with private access to the types' packages
         * @return this
         */
        public Builder<T> lookup(MethodHandles.Lookup value) {
            lookup = Objects.requireNonNull(value);
            return this;
        }

        /**
         * Lets int and long fields take as few bytes as their values need, so that they have no fixed offsets.
         *
         * @return this
         */
        public Builder<T> compact() {
            compact = true;
            return this;
        }

        /**
         * Leaves the values of a type, wherever they are, to a hand-written codec. Their bytes have their number in
         * front. Another version must have a codec with the same fingerprint, or not want the values. A codec that
         * calls a schema again is responsible for how deep that goes.
         *
         * @param <V> the type
         * @param values exactly this class; not primitive
         * @param codec writes and reads them
         * @return this
         */
        public <V> Builder<T> codec(Class<V> values, Codec<V> codec) {
            give(values, Objects.requireNonNull(codec));
            return this;
        }

        /**
         * Stores the values of a type, wherever they are, as those of another, for which there is a schema.
         *
         * @param <V> the type
         * @param <S> the type that is stored
         * @param values exactly this class; not primitive
         * @param stored a class without type parameters, another one than the first
         * @param to makes what is stored; not null
         * @param from makes a value again, or throws; not null
         * @return this
         */
        public <V, S> Builder<T> storeAs(Class<V> values, Class<S> stored, Function<V, S> to, Function<S, V> from) {
            if (stored.isPrimitive()) {
                throw new SchemaException(stored + " is primitive; take the class of its boxed values", null);
            }
            give(values, new Mapping<>(values, TypeRef.of(stored), Objects.requireNonNull(to),
                Objects.requireNonNull(from)));
            return this;
        }

        private void give(Class<?> values, Object codecOrMapping) {
            if (values.isPrimitive() || given.putIfAbsent(values, codecOrMapping) != null) {
                throw new SchemaException(values.getName() + " is primitive, or has been given before", null);
            }
        }

        /**
         * The value of a field in what was written before there was the field. Without one it is 0, false, empty
         * (arrays, collections, maps and optional values), or null.
         *
         * @param owner the record or class that has the field
         * @param field its name
         * @param value the same object for each; it should be immutable
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
         * @throws SchemaException if there is none; the message names the field
         */
        public Schema<T> build() {
            Defaults defaults = new Defaults(values);
            Derivation derivation = new Derivation(lookup, compact, given, defaults);
            Part<Object> root = derivation.part(TypeRef.of(type), type.getSimpleName());
            derivation.checkAll(type);
            return new Schema<>(type, root, defaults, Description.of(root).toString(), false);
        }
    }

    /**
     * Says what the bytes are, for whoever reads them later or elsewhere: names and types of the fields, names of
     * constants and subclasses.
     *
     * @return text; the fingerprint is its hash
     */
    public String description() {
        return description;
    }

    @Override
    public String describe() {
        return description;
    }

    /**
     * Makes a schema that reads what was written by another version of the types.
     *
     * <p>Fields are found by name. One that is missing has the value that {@link Builder#ifMissing} gave, else 0,
     * false, empty or null; one that this version does not know is skipped. Numbers may have become wider, and what was
     * not optional may have become {@link java.util.Optional}. Constants and subclasses are found by name, too; one
     * that this version does not know is a {@link MalformedException} when a value has it.
     *
     * @param written what {@link #description()} returned there
     * @return a schema that reads and cannot write; {@link #offset} is that of the other version
     * @throws SchemaException if values of that version cannot be read as values of this one, naming the field, or if
     *     this is no description
     */
    public Schema<T> readerOf(String written) {
        return written.equals(description) ? this : evolved(written);
    }

    Schema<T> evolved(String written) {
        return new Schema<>(type, new Evolution(defaults).part(DescriptionParser.parse(written), root,
            type.getSimpleName()), defaults, written, true);
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
            throw new UnsupportedOperationException("this schema reads what another version of " + type.getName()
                + " has written; write with the schema of this version");
        }
    }

    @Override
    public T read(Input in) {
        try {
            return type.cast(root.read(in));
        } catch (MalformedException e) {
            throw e;
        } catch (Exception | StackOverflowError e) {            // what a constructor throws; hash codes of deep keys
            throw new MalformedException(in.offset(), "values that " + type.getName() + " refuses", e);
        }
    }

    /**
     * Writes values in pieces.
     *
     * @return a writer for one value at a time
     * @throws UnsupportedOperationException if this schema reads another version
     */
    @Override
    public PartialWriter<T> partialWriter() {
        requireWriting();
        return new PartialWriter<>(root);
    }

    /**
     * Reads values from pieces.
     *
     * @param bytesMax the most bytes that a value may take
     * @return a reader for one value at a time
     */
    @Override
    public PartialReader<T> partialReader(int bytesMax) {
        return new PartialReader<>(type, root, bytesMax);
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
     * Where a field lies in every value, for access in place.
     *
     * @param name of a field of fixed size
     * @return bytes from the beginning of the value
     * @throws IllegalArgumentException if the field's place varies, or there is no such field
     */
    public int offset(String name) {
        if (root instanceof Struct struct) {
            for (Layout.Field field : struct.layout().fields()) {
                if (field.name().equals(name) && field.isFixed()) {
                    return field.offset();
                }
            }
        }
        throw new IllegalArgumentException(type.getName() + " has no field " + name + " of fixed size");
    }
}
