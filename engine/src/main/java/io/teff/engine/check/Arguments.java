package io.teff.engine.check;

import io.teff.engine.config.Limits;

/** Checks of arguments that an application gives. */
public final class Arguments {
    private Arguments() {}

    /**
     * Checks a range of an array.
     *
     * @param arrayLength length of the array
     * @param offset first index
     * @param length number of elements
     * @throws IndexOutOfBoundsException if the range is not inside the array
     */
    public static void checkRange(int arrayLength, int offset, int length) {
        if ((offset | length) < 0 || length > arrayLength - offset) {
            throw new IndexOutOfBoundsException("offset=" + offset + " length=" + length
                + " is not inside of an array of " + arrayLength);
        }
    }

    /**
     * Checks a range of bytes.
     *
     * @param segmentBytes size of the segment
     * @param offset first byte
     * @param length number of bytes
     * @throws IndexOutOfBoundsException if the range is not inside the segment
     */
    public static void checkRange(long segmentBytes, long offset, long length) {
        if ((offset | length) < 0 || length > segmentBytes - offset) {
            throw new IndexOutOfBoundsException("offset=" + offset + " length=" + length
                + " is not inside of " + segmentBytes + " bytes");
        }
    }

    /**
     * Checks the length of a chunk.
     *
     * @param length in bytes
     * @throws IllegalArgumentException if it is outside 0 to {@link Limits#CHUNK_BYTES_MAX}
     */
    public static void checkLength(long length) {
        if (length < 0 || length > Limits.CHUNK_BYTES_MAX) {
            throw new IllegalArgumentException("length=" + length + " is outside of 0.." + Limits.CHUNK_BYTES_MAX);
        }
    }

    /**
     * Checks how many of the largest chunks a report lists.
     *
     * @param count number of chunks
     * @throws IllegalArgumentException if it is outside 0 to {@link Limits#LARGEST_COUNT_MAX}
     */
    public static void checkLargest(int count) {
        if (count < 0 || count > Limits.LARGEST_COUNT_MAX) {
            throw new IllegalArgumentException("largestCount=" + count + " is outside of 0.."
                + Limits.LARGEST_COUNT_MAX);
        }
    }
}
