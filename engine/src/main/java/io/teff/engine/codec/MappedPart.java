package io.teff.engine.codec;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values that are stored as those of another type. */
final class MappedPart extends Part<Object> {
    private final Mapping<Object, Object> mapping;
    private final Part<Object> stored;
    private final boolean isStandard;

    @SuppressWarnings("unchecked")
    private MappedPart(Mapping<?, ?> mapping, Part<Object> stored, boolean isStandard) {
        super(VARIABLE, stored.bytesMin());
        this.isStandard = isStandard;
        this.mapping = (Mapping<Object, Object>) mapping;
        this.stored = stored;
    }

    /** A type of the JDK, which is described by its name. */
    static MappedPart standard(Mapping<?, ?> mapping, Part<Object> stored) {
        return new MappedPart(mapping, stored, true);
    }

    /**
     * Any other type, which is described as what is stored: it may become that, and that may become it. So its size
     * must be fixed, too, if that of what is stored is.
     */
    @SuppressWarnings("unchecked")
    static Part<Object> of(Mapping<?, ?> mapping, Part<Object> stored) {
        return (Part<?>) stored instanceof Part.Fixed<?> fixed
            ? new ConvertedPart((Mapping<Object, Object>) mapping, (Part.Fixed<Object>) fixed)
            : new MappedPart(mapping, stored, false);
    }

    boolean isStandard() {
        return isStandard;
    }

    /** Whether what is stored is an Optional. */
    boolean isOptional() {
        return ((Part<?>) stored) instanceof OptionalPart;
    }

    @Override
    @Nullable Object missing() {
        return isOptional() ? fromStored(Optional.empty()) : null;
    }

    Part<Object> stored() {
        return stored;
    }

    Object toStored(Object value) {
        return mapping.makeStored(value);
    }

    Object fromStored(Object value) {
        return mapping.makeFrom(value);
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
            description.named(Description.STANDARD, mapping.type().getName());
        } else {
            stored.describe(description);
        }
    }
}
