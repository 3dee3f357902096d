package io.teff.engine.codec;

import java.util.Optional;

/** Optional values: one byte that says whether there is one, then that. */
final class OptionalPart extends Part<Optional<Object>> {
    private final Part<Object> value;

    OptionalPart(Part<Object> value) {
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
    Object missing() {
        return Optional.empty();
    }

    Part<Object> value() {
        return value;
    }

    @Override
    void describe(Description description) {
        description.of(Description.OPTIONAL, value);
    }
}
