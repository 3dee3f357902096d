package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;

/** Codec of strings; generated code calls {@link Output#putString} and {@link Input#getString} directly. */
public final class StringCodec extends TypeCodec<String> {
    /** The only instance; it has no state. */
    public static final StringCodec INSTANCE = new StringCodec();

    private StringCodec() {
        super(VARIABLE, 1);
    }

    @Override
    public void write(String value, Output out) {
        out.putString(value);
    }

    @Override
    public String read(Input in) {
        return in.getString();
    }

    @Override
    void describe(Description description) {
        description.named(Description.STANDARD, String.class.getName());
    }
}
