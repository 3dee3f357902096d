package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;

/** Codec of boxed values of a primitive type. */
public final class BoxCodec extends TypeCodec.Fixed<Object> {
    private final Scalar scalar;

    /** Makes a codec of the boxed values of a primitive type. */
    public BoxCodec(Scalar scalar) {
        super(scalar.bytes());
        this.scalar = scalar;
    }

    /** Returns the primitive type. */
    public Scalar scalar() {
        return scalar;
    }

    @Override
    public void put(Object value, byte[] array, int at) {
        scalar.put(value, array, at);
    }

    @Override
    public Object get(byte[] array, int at, Input in) {
        return scalar.get(array, at, in);
    }

    @Override
    void describe(Description description) {
        description.named(Description.SCALAR, scalar.name());
    }
}
