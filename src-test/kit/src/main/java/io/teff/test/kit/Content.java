package io.teff.test.kit;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Content that proves itself: every byte follows from the tag in the first eight, so a mix of two contents shows.
 * <pre>
 *  | tag (8) | bytes that depend on tag and position |
 * </pre>
 * Content shorter than a tag is its first bytes, and proves nothing but itself.
 */
public final class Content {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private Content() {}

    private static long word(long tag, int at) {
        return at == 0 ? tag : (tag + at) * FACTOR;
    }

    public static void fill(byte[] target, int length, long tag) {
        MemorySegment segment = MemorySegment.ofArray(target);
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            segment.set(LONG, at, word(tag, at));
        }
        for (long rest = word(tag, at); at < length; rest >>>= Byte.SIZE) {
            target[at++] = (byte) rest;
        }
    }

    public static byte[] of(int length, long tag) {
        byte[] content = new byte[length];
        fill(content, length, tag);
        return content;
    }

    /** The tag of content of at least eight bytes. */
    public static long tag(byte[] content) {
        return MemorySegment.ofArray(content).get(LONG, 0);
    }

    /** Whether all bytes belong to the tag in front of them. */
    public static boolean isWhole(byte[] content, int length) {
        if (length < Long.BYTES) {
            return true;
        }
        MemorySegment segment = MemorySegment.ofArray(content);
        long tag = segment.get(LONG, 0);
        int at = 0;
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            if (segment.get(LONG, at) != word(tag, at)) {
                return false;
            }
        }
        for (long rest = word(tag, at); at < length; rest >>>= Byte.SIZE) {
            if (content[at++] != (byte) rest) {
                return false;
            }
        }
        return true;
    }
}
