package io.teff.engine.codec;

import java.util.function.UnaryOperator;

/** Values of fixed size that become others when they are read; made by an {@link Evolution}, and never written. */
final class ConvertedPart extends Part.Fixed<Object> {
    private final Part.Fixed<?> stored;
    private final UnaryOperator<Object> conversion;

    ConvertedPart(Part.Fixed<?> stored, UnaryOperator<Object> conversion) {
        super(stored.fixedBytes());
        this.stored = stored;
        this.conversion = conversion;
    }

    @Override
    void put(Object value, byte[] array, int at) {
        throw new UnsupportedOperationException();
    }

    @Override
    Object get(byte[] array, int at, Input in) {
        return conversion.apply(stored.get(array, at, in));
    }

    @Override
    void describe(Description description) {
        stored.describe(description);
    }
}
