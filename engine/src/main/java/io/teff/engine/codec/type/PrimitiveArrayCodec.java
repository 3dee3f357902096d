package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.bytes.LittleEndian;
import io.teff.engine.memory.ArrayBytes;
import java.lang.reflect.Array;

/** Codec of arrays of a primitive type: the number of values as LEB128, then the values, copied as a whole. */
public final class PrimitiveArrayCodec extends TypeCodec<Object> {
    private final Scalar scalar;

    /** Makes a codec of arrays of a primitive type. */
    public PrimitiveArrayCodec(Scalar scalar) {
        super(VARIABLE, 1);
        this.scalar = scalar;
    }

    /** Returns the primitive type. */
    public Scalar scalar() {
        return scalar;
    }

    @Override
    public Object missing() {
        return Array.newInstance(scalar.primitive(), 0);
    }

    @Override
    public void write(Object value, Output out) {
        int count = Array.getLength(value);
        out.putVar(count);
        write(value, 0, count, out);
    }

    /** Writes some of the values, without their number. */
    public void write(Object value, int from, int count, Output out) {
        int at = out.take(Math.multiplyExact(count, scalar.bytes()));
        if (value instanceof boolean[] flags) {
            for (int i = 0; i < count; i++) {
                LittleEndian.putBoolean(out.array(), at + i, flags[from + i]);
            }
        } else if (value instanceof byte[] bytes) {
            System.arraycopy(bytes, from, out.array(), at, count);
        } else {
            out.putValues(at, value, from, count);
        }
    }

    @Override
    public Object read(Input in) {
        return read(in.getCount(scalar.bytes()), in);
    }

    /** Reads {@code count} values, whose number was read and checked before. */
    public Object read(int count, Input in) {
        int at = in.take(count * scalar.bytes());
        Object value = Array.newInstance(scalar.primitive(), count);
        if (value instanceof boolean[] flags) {
            for (int i = 0; i < count; i++) {
                flags[i] = Scalar.getBoolean(in.array(), at + i, in);
            }
        } else if (value instanceof byte[] bytes) {
            System.arraycopy(in.array(), at, bytes, 0, count);
        } else {
            ArrayBytes.copyIn(in.array(), at, value, 0, count);
        }
        return value;
    }

    @Override
    void describe(Description description) {
        description.named(Description.PRIMITIVE_ARRAY, scalar.name());
    }
}
