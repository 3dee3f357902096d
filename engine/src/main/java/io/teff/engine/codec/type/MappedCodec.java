package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.BitSet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Codec of values that are stored as values of another type. */
public final class MappedCodec extends TypeCodec<Object> {
    private final Conversion<Object, Object> conversion;
    private final TypeCodec<Object> stored;
    private final boolean isStandard;

    @SuppressWarnings("unchecked")
    private MappedCodec(Conversion<?, ?> conversion, TypeCodec<Object> stored, boolean isStandard) {
        super(VARIABLE, stored.bytesMin());
        this.isStandard = isStandard;
        this.conversion = (Conversion<Object, Object>) conversion;
        this.stored = stored;
    }

    /** Makes the codec of a type of the JDK, which descriptions contain by name. */
    public static MappedCodec standard(Conversion<?, ?> conversion, TypeCodec<Object> stored) {
        return new MappedCodec(conversion, stored, true);
    }

    /**
     * Makes the codec of any other type. Descriptions contain the stored type instead, so that another version may use
     * the stored type itself, or a field of that type may become mapped. For that the result has a fixed size if the
     * stored type has.
     */
    @SuppressWarnings("unchecked")
    public static TypeCodec<Object> of(Conversion<?, ?> conversion, TypeCodec<Object> stored) {
        return (TypeCodec<?>) stored instanceof TypeCodec.Fixed<?> fixed
            ? new FixedMappedCodec((Conversion<Object, Object>) conversion, (TypeCodec.Fixed<Object>) fixed)
            : new MappedCodec(conversion, stored, false);
    }

    /** Returns whether descriptions contain this type by name. */
    public boolean isStandard() {
        return isStandard;
    }

    /** Returns whether this is a type of the JDK whose values never change. */
    public boolean isImmutable() {
        return isStandard && !conversion.type().equals(BitSet.class);
    }

    /** Returns whether the stored type is Optional. */
    public boolean isOptional() {
        return ((TypeCodec<?>) stored) instanceof OptionalCodec;
    }

    @Override
    public @Nullable Object missing() {
        return isOptional() ? fromStored(Optional.empty()) : null;
    }

    /** Returns the codec of the stored values. */
    public TypeCodec<Object> stored() {
        return stored;
    }

    /** Makes a stored value of a value. */
    public Object toStored(Object value) {
        return conversion.makeStored(value);
    }

    /** Makes a value of a stored value. */
    public Object fromStored(Object value) {
        return conversion.makeValue(value);
    }

    @Override
    public void write(Object value, Output out) {
        stored.write(toStored(value), out);
    }

    @Override
    public Object read(Input in) {
        return fromStored(stored.read(in));
    }

    @Override
    void describe(Description description) {
        if (isStandard) {
            description.named(Description.STANDARD, conversion.type().getName());
        } else {
            stored.describe(description);
        }
    }
}
