package io.teff.engine.codec;

/**
 * Values of a hand-written codec: the number of their bytes (LEB128), then these. The number lets readers wait for all
 * of them, and skip them.
 */
final class CustomPart extends Part<Object> {
    private static final int VAR_BITS = 7;
    private static final int ONE_BYTE_MAX = (1 << VAR_BITS) - 1;

    private final Class<?> type;
    private final Codec<Object> codec;

    @SuppressWarnings("unchecked")
    CustomPart(Class<?> type, Codec<?> codec) {
        super(VARIABLE, 1);
        this.type = type;
        this.codec = (Codec<Object>) codec;
    }

    /** Most values are short; what was written is moved if the number takes more than one byte. */
    @Override
    public void write(Object value, Output out) {
        int before = out.size();
        out.putByte((byte) 0);
        codec.write(value, out);
        int length = out.size() - before - 1;
        if (length <= ONE_BYTE_MAX) {
            out.array()[out.start() + before] = (byte) length;
            return;
        }
        int numberBytes = (Integer.SIZE - Integer.numberOfLeadingZeros(length) + VAR_BITS - 1) / VAR_BITS;
        out.take(numberBytes - 1);
        int start = out.start() + before;
        System.arraycopy(out.array(), start + 1, out.array(), start + numberBytes, length);
        out.rewind(before);
        out.putVar(length);
        out.take(length);
    }

    @Override
    public Object read(Input in) {
        int length = in.getCount(1);
        return read(length, in);
    }

    /** Reads a value of so many bytes, which are all that the codec gets to see. */
    Object read(int length, Input in) {
        int outer = in.narrow(length);
        Object value = codec.read(in);
        if (in.left() > 0) {
            throw in.malformed("a value of " + type.getName() + " that leaves " + in.left() + " of its " + length
                + " bytes");
        }
        in.widen(outer);
        return value;
    }

    @Override
    void describe(Description description) {
        description.named(Description.CUSTOM, Long.toHexString(codec.fingerprint()));
    }
}
