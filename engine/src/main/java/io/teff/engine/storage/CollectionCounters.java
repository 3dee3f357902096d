package io.teff.engine.storage;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of a collection, one cell for each writer lock: the holder of the lock writes its cell, any thread
 * reads.
 */
public class CollectionCounters {
    private final AtomicLongArray entries = new AtomicLongArray(WriterLocks.COUNT);
    private final AtomicLongArray bytes = new AtomicLongArray(WriterLocks.COUNT + 1);

    /** Creates counters that are 0. */
    public CollectionCounters() {}

    /**
     * Adds to a cell. The caller holds the cell's lock, so a plain load sees the last value; the opaque store lets
     * readers see whole values.
     *
     * @param numbers one cell for each lock
     * @param lockIndex index of the lock
     * @param delta amount to add
     * @return the new value of the cell
     */
    protected static long add(AtomicLongArray numbers, int lockIndex, long delta) {
        long sum = numbers.getPlain(lockIndex) + delta;
        numbers.setOpaque(lockIndex, sum);
        return sum;
    }

    /**
     * Adds up all cells. Concurrent changes may or may not be included.
     *
     * @param numbers the cells
     * @return their sum
     */
    protected static long sum(AtomicLongArray numbers) {
        long sum = 0;
        for (int lockIndex = 0; lockIndex < numbers.length(); lockIndex++) {
            sum += numbers.getOpaque(lockIndex);
        }
        return sum;
    }

    /**
     * Counts entries.
     *
     * @param bits bits that choose the lock, see {@link WriterLocks#of}
     * @param delta number of added entries; negative for removed ones
     */
    public final void count(long bits, long delta) {
        add(entries, WriterLocks.of(bits), delta);
    }

    /**
     * Counts memory of chunks.
     *
     * @param bits bits that choose the lock
     * @param delta added bytes; negative for freed ones
     */
    public final void memory(long bits, long delta) {
        add(bytes, WriterLocks.of(bits), delta);
    }

    /**
     * Counts memory of chunks that no writer lock guards. Must not be called by two threads at once.
     *
     * @param delta added bytes; negative for freed ones
     */
    public final void memoryApart(long delta) {
        add(bytes, WriterLocks.COUNT, delta);
    }

    /** {@return the number of entries} */
    public final long entries() {
        return sum(entries);
    }

    /** {@return bytes of memory} */
    public final long memoryBytes() {
        return sum(bytes);
    }
}
