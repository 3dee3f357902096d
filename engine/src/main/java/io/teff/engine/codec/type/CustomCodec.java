package io.teff.engine.codec.type;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.Output;

/**
 * Values of a hand-written codec inside a schema: the length in bytes as LEB128, then the codec's bytes. By the length
 * a reader waits for the whole value, or skips it.
 */
public final class CustomCodec extends TypeCodec<Object> {
    private static final int VAR_BITS = 7;
    private static final int ONE_BYTE_MAX = (1 << VAR_BITS) - 1;

    private final Class<?> type;
    private final Codec<Object> codec;

    /** Makes a codec of the values of a class by a hand-written codec. */
    @SuppressWarnings("unchecked")
    public CustomCodec(Class<?> type, Codec<?> codec) {
        super(VARIABLE, 1);
        this.type = type;
        this.codec = (Codec<Object>) codec;
    }

    /** Assumes a length of one byte, as most have, and moves the codec's bytes if the length takes more. */
    @Override
    public void write(Object value, Output out) {
        int before = out.size();
        out.putByte((byte) 0);
        out.putValue(codec, value);
        int length = out.size() - before - 1;
        if (length <= ONE_BYTE_MAX) {
            out.array()[out.start() + before] = (byte) length;
            return;
        }
        int lengthBytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + VAR_BITS - 1) / VAR_BITS;
        out.take(lengthBytes - 1);
        int start = out.start() + before;
        System.arraycopy(out.array(), start + 1, out.array(), start + lengthBytes, length);
        out.rewind(before);
        out.putVar(length);
        out.take(length);
    }

    @Override
    public Object read(Input in) {
        int length = in.getCount(1);
        return read(length, in);
    }

    /** Reads a value of {@code length} bytes; the hand-written codec can read only these. */
    public Object read(int length, Input in) {
        int outer = in.narrow(length);
        Object value = codec.read(in);
        if (in.left() > 0) {
            throw in.malformed("a value of " + type.getName() + " with " + in.left() + " of its " + length
                + " bytes unread");
        }
        in.widen(outer);
        return value;
    }

    @Override
    void describe(Description description) {
        description.named(Description.CUSTOM, Long.toHexString(codec.fingerprint()));
    }
}
