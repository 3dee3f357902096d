package io.teff.engine.storage;

import io.teff.engine.codec.Codec;
import io.teff.engine.codec.Input;
import io.teff.engine.codec.MalformedException;
import io.teff.engine.codec.Output;

/**
 * The buffers of one operation that encodes or decodes objects: an output to write to, and an array to copy chunks to.
 */
public class CodecBuffers {
    /** Buffers for operations that need nothing else. */
    public static final ObjectPool<CodecBuffers> POOL = new ObjectPool<>(CodecBuffers::new, CodecBuffers::isKept);

    private static final int BYTES_FIRST = 1024;
    /** Larger buffers are not kept in a pool. */
    private static final int BYTES_KEPT = 1 << 20;
    private static final int BYTES_MAX = Integer.MAX_VALUE - 8;

    private final Output out = Output.growing(BYTES_FIRST);
    private final Input in = new Input(new byte[0], 0, 0);
    private byte[] bytes = new byte[BYTES_FIRST];

    /** Creates small buffers. */
    public CodecBuffers() {}

    /** {@return the output to encode to} */
    public final Output out() {
        return out;
    }

    /** {@return the array to copy to; {@link #grow} replaces it} */
    public final byte[] bytes() {
        return bytes;
    }

    /** Replaces the array by one of twice the length, or of the maximum length. Its content is lost. */
    public final void grow() {
        if (bytes.length == BYTES_MAX) {
            throw new MalformedException(0, "bytes of more than " + BYTES_MAX, null);
        }
        bytes = new byte[(int) Math.min(bytes.length * 2L, BYTES_MAX)];
    }

    /**
     * Decodes an object.
     *
     * @param <T> type of the object
     * @param codec codec of the object
     * @param array the encoded object
     * @param from index of the first byte
     * @param length number of bytes
     * @return the object
     * @throws MalformedException if the codec does not read exactly {@code length} bytes
     */
    public final <T> T read(Codec<T> codec, byte[] array, int from, int length) {
        in.reset(array, from, length);
        T value = codec.read(in);
        if (in.left() > 0) {
            throw in.malformed(in.left() + " bytes behind the object");
        }
        return value;
    }

    /** {@return whether the buffers are small enough to be kept in a pool} */
    public final boolean isKept() {
        return bytes.length <= BYTES_KEPT && out.array().length <= BYTES_KEPT;
    }
}
