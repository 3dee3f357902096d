package io.teff.test.bench.grid;

import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/** The contents of values: the key, a number, and random bytes. */
final class GridValues {
    /** Where the number is. */
    static final int NUMBER_AT = Long.BYTES;
    /** The shortest value. */
    static final int BYTES_MIN = 2 * Long.BYTES;

    private GridValues() {}

    static byte[] of(int key, int bytes, SplittableRandom random) {
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        ByteBuffer.wrap(value).putLong(key).putLong(0);
        return value;
    }

    static boolean isOf(int key, byte[] value) {
        return value != null && value.length >= BYTES_MIN && ByteBuffer.wrap(value).getLong() == key;
    }

    /** Returns a copy whose number is one higher. */
    static byte[] raised(byte[] value) {
        byte[] next = value.clone();
        ByteBuffer buffer = ByteBuffer.wrap(next);
        buffer.putLong(NUMBER_AT, buffer.getLong(NUMBER_AT) + 1);
        return next;
    }

    static long number(byte[] value) {
        return ByteBuffer.wrap(value).getLong(NUMBER_AT);
    }
}
