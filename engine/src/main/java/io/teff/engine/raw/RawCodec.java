package io.teff.engine.raw;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;
import io.teff.engine.codec.schema.Codecs;

/**
 * A codec of which only the description is known: its values are bytes.
 *
 * @param describe description of the codec
 * @param fixedBytes size of each value, or -1 if it varies
 */
public record RawCodec(String describe, int fixedBytes) implements Codec<byte[]> {
    private static final long FINGERPRINT = 0x5241_5742_0000_0001L;

    @Override
    public void write(byte[] value, Output out) {
        out.putBytes(value, 0, value.length);
    }

    @Override
    public byte[] read(Input in) {
        return Codecs.BYTES.read(in);
    }

    @Override
    public long fingerprint() {
        return FINGERPRINT ^ describe.hashCode();
    }

    @Override
    public boolean hasBytesOf(String written) {
        return written.equals(describe);
    }
}
