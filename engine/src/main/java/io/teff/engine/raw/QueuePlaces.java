package io.teff.engine.raw;

import org.jspecify.annotations.Nullable;

/**
 * The places of the elements of a queue. The place of an element is a segment and an offset. The place never changes,
 * and no other element ever gets the place.
 *
 * @param <E> type of the elements
 */
public interface QueuePlaces<E> {
    /** A walk over elements, weakly consistent. Not thread-safe. */
    interface PlaceWalk<E> {
        /** {@return the next element, or null at the end} */
        @Nullable E next();

        /** {@return the segment of the element} */
        long segment();

        /** {@return the offset of the element in the segment} */
        int at();
    }

    /**
     * Begins a walk over the elements behind a place.
     *
     * @param segment segment of the place; 0, or a segment that does not exist any more, for all elements
     * @param at offset of the place
     * @return the walk
     */
    PlaceWalk<E> behind(long segment, int at);

    /**
     * Returns the segment of the element that was added last. While another thread may add an element, the result says
     * nothing.
     *
     * @return the segment
     */
    long addedSegment();

    /**
     * Returns the offset of the element that was added last; see {@link #addedSegment}.
     *
     * @return the offset
     */
    int addedAt();

    /**
     * Removes the element at a place.
     *
     * @param segment segment of the place
     * @param at offset of the place
     * @return whether there was an element
     */
    boolean removeAt(long segment, int at);
}
