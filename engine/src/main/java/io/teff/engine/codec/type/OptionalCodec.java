package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.Optional;

/** Codec of optional values: one byte, 1 if there is a value and 0 if not, then the value. */
public final class OptionalCodec extends TypeCodec<Optional<Object>> {
    private final TypeCodec<Object> value;

    /** Makes a codec of optional values. */
    public OptionalCodec(TypeCodec<Object> value) {
        super(VARIABLE, 1);
        this.value = value;
    }

    @Override
    public void write(Optional<Object> optional, Output out) {
        out.putByte((byte) (optional.isPresent() ? 1 : 0));
        if (optional.isPresent()) {
            value.write(optional.get(), out);
        }
    }

    @Override
    public Optional<Object> read(Input in) {
        int at = in.take(1);
        return Scalar.getBoolean(in.array(), at, in) ? Optional.of(value.read(in)) : Optional.empty();
    }

    @Override
    public Object missing() {
        return Optional.empty();
    }

    /** Returns the codec of the values. */
    public TypeCodec<Object> value() {
        return value;
    }

    @Override
    void describe(Description description) {
        description.composed(Description.OPTIONAL, value);
    }
}
