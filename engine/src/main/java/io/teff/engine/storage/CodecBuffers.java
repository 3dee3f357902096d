package io.teff.engine.storage;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;

/** What one operation on objects in chunks has at hand: where it writes bytes to, and where it copies them to. */
public class CodecBuffers {
    private static final int BYTES_FIRST = 1024;
    /** Buffers that have grown beyond it are not kept. */
    private static final int BYTES_KEPT = 1 << 20;
    private static final int BYTES_MAX = Integer.MAX_VALUE - 8;

    private final Output out = Output.growing(BYTES_FIRST);
    private final Input in = new Input(new byte[0], 0, 0);
    private byte[] bytes = new byte[BYTES_FIRST];

    /** Makes one with small buffers. */
    public CodecBuffers() {}

    /** {@return where to write} */
    public final Output out() {
        return out;
    }

    /** {@return where to copy to; another array after {@link #grow}} */
    public final byte[] bytes() {
        return bytes;
    }

    /** Makes the array at least twice as long; what was in it is gone. */
    public final void grow() {
        if (bytes.length == BYTES_MAX) {
            throw new MalformedException(0, "bytes of more than " + BYTES_MAX, null);
        }
        bytes = new byte[(int) Math.min(bytes.length * 2L, BYTES_MAX)];
    }

    /**
     * Turns bytes into an object.
     *
     * @param <T> type of the object
     * @param codec what reads them
     * @param array the bytes
     * @param from first index
     * @param length how many
     * @return the object
     * @throws MalformedException if it is not exactly so long
     */
    public final <T> T read(Codec<T> codec, byte[] array, int from, int length) {
        in.reset(array, from, length);
        T value = codec.read(in);
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the object");
        }
        return value;
    }

    /** {@return whether it is worth keeping} */
    public final boolean isKept() {
        return bytes.length <= BYTES_KEPT && out.array().length <= BYTES_KEPT;
    }
}
