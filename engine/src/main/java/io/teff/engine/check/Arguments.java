package io.teff.engine.check;

import io.teff.engine.config.Limits;

/** Checks of arguments that an application passes. Thread-safe. */
public final class Arguments {
    private Arguments() {}

    /**
     * Checks a range of an array.
     *
     * @param arrayLength length of the array
     * @param offset first index of the range
     * @param length number of elements of the range
     * @throws IndexOutOfBoundsException if the range is not inside the array
     */
    public static void checkRange(int arrayLength, int offset, int length) {
        if ((offset | length) < 0 || length > arrayLength - offset) {
            throw new IndexOutOfBoundsException("offset=" + offset + " length=" + length
                + " is not inside an array of length " + arrayLength);
        }
    }

    /**
     * Checks a range of a segment.
     *
     * @param segmentBytes size of the segment in bytes
     * @param offset first byte of the range
     * @param length number of bytes of the range
     * @throws IndexOutOfBoundsException if the range is not inside the segment
     */
    public static void checkRange(long segmentBytes, long offset, long length) {
        if ((offset | length) < 0 || length > segmentBytes - offset) {
            throw new IndexOutOfBoundsException("offset=" + offset + " length=" + length
                + " is not inside a segment of " + segmentBytes + " bytes");
        }
    }

    /**
     * Checks the length of a chunk.
     *
     * @param length length in bytes
     * @throws IllegalArgumentException if the length is outside 0 to {@link Limits#CHUNK_BYTES_MAX}
     */
    public static void checkLength(long length) {
        if (length < 0 || length > Limits.CHUNK_BYTES_MAX) {
            throw new IllegalArgumentException("length=" + length + " is outside of 0.." + Limits.CHUNK_BYTES_MAX);
        }
    }

    /**
     * Checks the number of the largest chunks that a report lists.
     *
     * @param count number of chunks
     * @throws IllegalArgumentException if the number is outside 0 to {@link Limits#LARGEST_COUNT_MAX}
     */
    public static void checkLargest(int count) {
        if (count < 0 || count > Limits.LARGEST_COUNT_MAX) {
            throw new IllegalArgumentException("largestCount=" + count + " is outside of 0.."
                + Limits.LARGEST_COUNT_MAX);
        }
    }
}
