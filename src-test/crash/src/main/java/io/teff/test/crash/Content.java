package io.teff.test.crash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The value of a key in a state: its length and each byte follow from the two.
 * <pre>
 *  0        8        16       24       32
 * +--------+--------+--------+--------+-------------------------------
 * | magic  | key    | state  | seal   | pattern, to the end
 * +--------+--------+--------+--------+-------------------------------
 * </pre>
 * A value shorter than the header is only a pattern. The seal mixes key and state, and the pattern follows from the
 * seal, so that a mix of two states is detected.
 */
final class Content {
    static final int HEAD_BYTES = 32;
    private static final long MAGIC = 0x6873_6172_6366_6674L;
    private static final int KEY_OFFSET = 8;
    private static final int STATE_OFFSET = 16;
    private static final int SEAL_OFFSET = 24;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;
    private static final int CLASSES = 100;
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private Content() {}

    /** Returns the bytes of a key in a state. */
    static byte[] of(long key, long state) {
        final byte[] bytes = new byte[length(key, state)];
        final long seal = seal(key, state);
        int from = 0;
        if (bytes.length >= HEAD_BYTES) {
            LONG.set(bytes, 0, MAGIC);
            LONG.set(bytes, KEY_OFFSET, key);
            LONG.set(bytes, STATE_OFFSET, state);
            LONG.set(bytes, SEAL_OFFSET, seal);
            from = HEAD_BYTES;
        }
        long at = from;
        for (; from <= bytes.length - Long.BYTES; from += Long.BYTES) {
            LONG.set(bytes, from, mix(seal + GOLDEN * at++));
        }
        for (long rest = mix(seal + GOLDEN * at); from < bytes.length; from++, rest >>>= Byte.SIZE) {
            bytes[from] = (byte) rest;
        }
        return bytes;
    }

    /** Returns the length of a key in a state: mostly short, sometimes 0; long ones are rare. */
    static int length(long key, long state) {
        final long chance = mix(seal(key, state));
        final int part = (int) Long.remainderUnsigned(chance, CLASSES);
        final long more = chance >>> 20;
        final int length = Group.of(key).length(part, more);
        return State.kind(state) == State.CREATED ? Math.max(length, HEAD_BYTES) : length;
    }

    /** Whether the bytes have a header; its key and state are yet to be verified. */
    static boolean hasHead(byte[] bytes) {
        return bytes.length >= HEAD_BYTES && (long) LONG.get(bytes, 0) == MAGIC;
    }

    static long key(byte[] bytes) {
        return (long) LONG.get(bytes, KEY_OFFSET);
    }

    static long state(byte[] bytes) {
        return (long) LONG.get(bytes, STATE_OFFSET);
    }

    private static long seal(long key, long state) {
        return mix(mix(key + GOLDEN) ^ state);
    }

    /** Every bit of the result depends on every bit of the value (the finalizer of splitmix64). */
    static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D049BB133111EBL;
        return mixed ^ mixed >>> 31;
    }
}
