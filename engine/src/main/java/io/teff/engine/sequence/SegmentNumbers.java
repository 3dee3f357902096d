package io.teff.engine.sequence;

import io.teff.engine.storage.ChunkIndex;
import java.util.BitSet;

/**
 * The numbers of a list's chunks: those of its segments, and free ones below the highest. A free number has a chunk of
 * no elements, or none, and is used again first. The caller holds the list's lock of writers.
 */
final class SegmentNumbers {
    private final ChunkIndex index;
    private final BitSet free = new BitSet();
    /** No lower number is free. */
    private int firstFree;

    SegmentNumbers(ChunkIndex index) {
        this.index = index;
    }

    /** Returns the number behind the highest. */
    long count() {
        return index.count();
    }

    int freeCount() {
        return free.cardinality();
    }

    /** Returns an unused number, the lowest free one, or the {@link #count}, which {@link #publish} then includes. */
    int take() {
        int number = free.nextSetBit(firstFree);
        if (number >= 0) {
            free.clear(number);
            firstFree = number;
            return number;
        }
        firstFree = (int) count();
        number = Math.toIntExact(count());
        index.reserve(number);
        return number;
    }

    /** Includes a taken number, whose chunk exists. */
    void publish(int number) {
        if (number == count()) {
            index.setCount(number + 1L);
        }
    }

    /** Frees a number; no effect on a number that was not published. */
    void give(int number) {
        if (number < count()) {
            free.set(number);
            firstFree = Math.min(firstFree, number);
        }
    }

    /** Returns the count without the free numbers at the end. */
    long trimmed() {
        return free.previousClearBit((int) count() - 1) + 1L;
    }

    /** Lowers the count. All numbers from the new one on are free. */
    void lower(long newCount) {
        free.clear((int) newCount, (int) count());
        index.setCount(newCount);
        index.trim();
    }

    /** Frees all numbers. */
    void clear() {
        free.clear();
        firstFree = 0;
        index.setCount(0);
        index.trim();
    }
}
