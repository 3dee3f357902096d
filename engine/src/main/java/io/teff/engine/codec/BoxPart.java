package io.teff.engine.codec;

/** Boxed values of a primitive type. */
final class BoxPart extends Part.Fixed<Object> {
    private final Scalar scalar;

    BoxPart(Scalar scalar) {
        super(scalar.bytes());
        this.scalar = scalar;
    }

    Scalar scalar() {
        return scalar;
    }

    @Override
    void put(Object value, byte[] array, int at) {
        scalar.put(value, array, at);
    }

    @Override
    Object get(byte[] array, int at, Input in) {
        return scalar.get(array, at, in);
    }

    @Override
    void describe(Description description) {
        description.named(Description.SCALAR, scalar.name());
    }
}
