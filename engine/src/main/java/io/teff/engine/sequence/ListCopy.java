package io.teff.engine.sequence;

import org.jspecify.annotations.Nullable;

/**
 * A part of a list as of one moment, for a walk: the elements of a segment, or of a part of a segment, and the places
 * where the list goes on. Not thread-safe.
 */
final class ListCopy {
    private static final int BYTES_FIRST = 128;

    /** The segment; the part are its elements from {@link #low} to below {@link #high}. */
    final SegmentBytes segment;
    int low;
    int high;
    /** Index in the list of the element at {@link #low}, at the moment. */
    long first;
    /** The boundary in front of the part. */
    @Nullable ListPlace front;
    /** The boundary behind the part; null at the end of the list. */
    @Nullable ListPlace behind;
    /** Stamp of the list at the moment: valid while no element was inserted or removed. */
    long stamp;

    ListCopy(int fixedBytes) {
        this.segment = new SegmentBytes(fixedBytes, BYTES_FIRST);
    }

    /** Returns the index in the list that an offset in the segment had at the moment. */
    long indexOf(int at) {
        return first + at - low;
    }
}
