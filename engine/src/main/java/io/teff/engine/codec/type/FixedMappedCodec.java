package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;

/**
 * Codec of values that are stored as values of another type of fixed size; {@link MappedCodec} is for variable size.
 */
public final class FixedMappedCodec extends TypeCodec.Fixed<Object> {
    private final Conversion<Object, Object> conversion;
    private final TypeCodec.Fixed<Object> stored;

    FixedMappedCodec(Conversion<Object, Object> conversion, TypeCodec.Fixed<Object> stored) {
        super(stored.fixedBytes());
        this.conversion = conversion;
        this.stored = stored;
    }

    /** Returns the codec of the stored values. */
    public TypeCodec<Object> stored() {
        return stored;
    }

    /** Makes a value of a stored one. */
    public Object fromStored(Object value) {
        return conversion.makeValue(value);
    }

    @Override
    public void put(Object value, byte[] array, int at) {
        stored.put(conversion.makeStored(value), array, at);
    }

    @Override
    public Object get(byte[] array, int at, Input in) {
        return fromStored(stored.get(array, at, in));
    }

    @Override
    void describe(Description description) {
        stored.describe(description);
    }
}
