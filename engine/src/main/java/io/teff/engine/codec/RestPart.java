package io.teff.engine.codec;

import java.util.Arrays;

/** Bytes as they are, to the end of the input. In no schema, for nothing can follow them. */
final class RestPart extends Part<byte[]> {
    static final RestPart INSTANCE = new RestPart();

    private RestPart() {
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
        throw new AssertionError("a schema with the rest of its input");
    }
}
