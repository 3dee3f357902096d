package io.teff.engine.codec;

import java.lang.invoke.MethodHandles;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A codec that is derived from a type, with code generated for it; see {@code docs/OBJECTS.md} for the bytes.
 *
 * <p>Making one takes milliseconds and is done once per type; using it is thread-safe.
 *
 * @param <T> type of the values
 */
public final class Schema<T> implements Codec<T> {
    private final Class<T> type;
    private final Part<Object> root;
    private final long fingerprint;

    private Schema(Class<T> type, MethodHandles.@Nullable Lookup lookup, boolean compact) {
        this.type = type;
        this.root = new Derivation(lookup, compact).part(TypeRef.of(type), type.getSimpleName());
        this.fingerprint = root.fingerprint();
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
        return new Schema<>(type, null, false);
    }

    /**
     * Derives a schema of types in a package that is not open.
     *
     * @param <T> type of the values
     * @param type as above
     * @param lookup with private access to the types' packages
     * @return the schema
     */
    public static <T> Schema<T> of(Class<T> type, MethodHandles.Lookup lookup) {
        return new Schema<>(type, Objects.requireNonNull(lookup), false);
    }

    /**
     * Derives a schema whose int and long fields take as few bytes as their values need, and so have no fixed offsets.
     *
     * @param <T> type of the values
     * @param type as above
     * @return the schema
     */
    public static <T> Schema<T> compact(Class<T> type) {
        return new Schema<>(type, null, true);
    }

    @Override
    public void write(T value, Output out) {
        root.write(Objects.requireNonNull(value), out);
    }

    @Override
    public T read(Input in) {
        try {
            return type.cast(root.read(in));
        } catch (MalformedException e) {
            throw e;
        } catch (RuntimeException e) {
            throw new MalformedException(in.offset(), "values that " + type.getName() + " refuses", e);
        }
    }

    /**
     * Writes values in pieces.
     *
     * @return a writer for one value at a time
     */
    public PartialWriter<T> partialWriter() {
        return new PartialWriter<>(root);
    }

    /**
     * Reads values from pieces.
     *
     * @param bytesMax the most bytes that a value may take
     * @return a reader for one value at a time
     */
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
