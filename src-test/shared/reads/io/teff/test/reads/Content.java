package io.teff.test.reads;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The bytes of a chunk after a step: its CID, the number of the step, and words that depend on both. */
final class Content {
    /** The longest content. */
    static final int BYTES_MAX = 8192;

    private static final ValueLayout.OfLong WORD = ValueLayout.JAVA_LONG_UNALIGNED;
    private static final int[] LENGTHS = {64, 64, 16, 200, 64, 2040, 2048, 3000, 64, 520, BYTES_MAX};
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private Content() {}

    static int length(long step) {
        return LENGTHS[(int) (step % LENGTHS.length)];
    }

    private static long word(long cid, long step, int index) {
        final long mixed = (cid ^ step * MIX) + index * 0x1_0000_0001L;
        return mixed ^ mixed >>> 29;
    }

    /** Writes the content after a step; returns its length. */
    static int write(MemorySegment target, long cid, long step) {
        final int length = length(step);
        target.set(WORD, 0, cid);
        target.set(WORD, Long.BYTES, step);
        for (int i = 2 * Long.BYTES; i < length; i += Long.BYTES) {
            target.set(WORD, i, word(cid, step, i));
        }
        return length;
    }

    static long step(MemorySegment source) {
        return source.get(WORD, Long.BYTES);
    }

    /** Returns what is wrong with a content, or an empty text. */
    static String check(MemorySegment source, long length, long cid) {
        if (length < 2 * Long.BYTES || source.get(WORD, 0) != cid) {
            return "the bytes are of chunk " + Long.toHexString(source.get(WORD, 0));
        }
        final long step = step(source);
        if (step < 0 || length != length(step)) {
            return "length " + length + " of step " + step;
        }
        for (int i = 2 * Long.BYTES; i < length; i += Long.BYTES) {
            if (source.get(WORD, i) != word(cid, step, i)) {
                return "torn at byte " + i + " of " + length + ", step " + step;
            }
        }
        return "";
    }
}
