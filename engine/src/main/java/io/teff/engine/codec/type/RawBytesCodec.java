package io.teff.engine.codec.type;

import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import java.util.Arrays;

/** Codec of bytes as they are, up to the end of the input. A schema cannot contain it, since nothing can follow. */
public final class RawBytesCodec extends TypeCodec<byte[]> {
    /** The only instance; it has no state. */
    public static final RawBytesCodec INSTANCE = new RawBytesCodec();

    private RawBytesCodec() {
        super(VARIABLE, 0);
    }

    @Override
    public void write(byte[] value, Output out) {
        out.putBytes(value, 0, value.length);
    }

    @Override
    public byte[] read(Input in) {
        int length = in.left();
        int at = in.take(length);
        return Arrays.copyOfRange(in.array(), at, at + length);
    }

    @Override
    void describe(Description description) {
        throw new AssertionError("a schema with raw bytes");
    }
}
