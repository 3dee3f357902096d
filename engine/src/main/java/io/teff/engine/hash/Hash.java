package io.teff.engine.hash;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The hash function of keys: 64 bits that depend on a seed. Each map has another seed, so that keys for a common bucket
 * cannot be chosen without the seed. Each step multiplies two words and folds the 128 bits of the product (the idea is
 * known from wyhash by Wang Yi). Pure functions.
 */
final class Hash {
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    /** Odd numbers with as many ones as zeros: digits of the golden ratio and of the square root of 3. */
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xBB67_AE85_84CA_A73BL;

    private Hash() {}

    private static long fold(long left, long right) {
        return left * right ^ Math.unsignedMultiplyHigh(left, right);
    }

    /** Returns the hash of a number. */
    static long of(long seed, long key) {
        return fold(fold(key ^ seed, FIRST) ^ seed, SECOND);
    }

    /** Returns the hash of bytes. The hash of eight bytes equals that of the little-endian number they form. */
    static long of(long seed, byte[] bytes, int from, int length) {
        if (length == Long.BYTES) {
            return of(seed, (long) LONG.get(bytes, from));
        }
        long state = fold(seed ^ length, FIRST);
        int at = from;
        for (int left = length; left >= Long.BYTES; left -= Long.BYTES, at += Long.BYTES) {
            state = fold((long) LONG.get(bytes, at) ^ state, SECOND);
        }
        long rest = 0;
        for (int i = from + length - 1; i >= at; i--) {
            rest = rest << Byte.SIZE | bytes[i] & 0xFF;
        }
        return fold(fold(rest ^ state, FIRST) ^ seed, SECOND);
    }
}
