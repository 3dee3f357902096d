package io.teff.test.cluster.kills;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** The contents of the chunks of {@link KillLoad}: all bytes follow from a number, the value of the chunk. */
final class KillContent {
    /** The first value of a shared chunk; the values of all others are higher. */
    static final long SHARED_FIRST = 1;
    static final int LENGTH_MAX = 400;
    private static final int LENGTH_MIN = 16;

    private KillContent() {}

    /** Returns a content with a number: its length and the rest of its bytes follow from the number. */
    static byte[] of(long value) {
        byte[] bytes = new byte[LENGTH_MIN + (int) (value * 31 % (LENGTH_MAX - LENGTH_MIN))];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (value + i);
        }
        return ByteBuffer.wrap(bytes).putLong(0, value).array();
    }

    /** Returns a content of a shared chunk with a number: nothing else in it changes. */
    static byte[] ofShared(long value) {
        return ByteBuffer.wrap(of(SHARED_FIRST)).putLong(0, value).array();
    }

    /** Returns the number of a content. */
    static long value(byte[] bytes, boolean isShared) {
        long value = ByteBuffer.wrap(bytes).getLong(0);
        byte[] expected = isShared ? ofShared(value) : of(value);
        if (!Arrays.equals(expected, bytes)) {
            throw new AssertionError("the content of " + value + " is torn: " + Arrays.toString(bytes));
        }
        return value;
    }
}
