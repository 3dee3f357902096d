package io.teff.engine.storage;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The counters of a collection, one row for each writer lock: the holder of the lock writes its row, any thread reads.
 * <pre>
 *  row (32 bytes):   | entries | bytes | of a subclass | - |
 * </pre>
 * The counters of a lock lie together, so that a change takes one cache line from the processor of another writer.
 */
public class CollectionCounters {
    /** Number of the first counter that is left to a subclass. */
    protected static final int OWN = 2;

    private static final int ENTRIES = 0;
    private static final int BYTES = 1;
    private static final int ROW_SHIFT = 2;
    private static final int ROWS = WriterLocks.COUNT + 1;

    private final AtomicLongArray cells = new AtomicLongArray(ROWS << ROW_SHIFT);

    /** Creates counters that are 0. */
    public CollectionCounters() {}

    /**
     * Adds to a counter. The caller holds the row's lock, so a plain load sees the last value; the opaque store lets
     * readers see whole values.
     *
     * @param row index of the lock
     * @param counter number of the counter in the row
     * @param delta amount to add
     * @return the new value of the counter
     */
    protected final long add(int row, int counter, long delta) {
        int cell = (row << ROW_SHIFT) + counter;
        long sum = cells.getPlain(cell) + delta;
        cells.setOpaque(cell, sum);
        return sum;
    }

    /**
     * Adds up a counter of all rows. Concurrent changes may or may not be included.
     *
     * @param counter number of the counter in its row
     * @return their sum
     */
    protected final long sum(int counter) {
        long sum = 0;
        for (int row = 0; row < ROWS; row++) {
            sum += cells.getOpaque((row << ROW_SHIFT) + counter);
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
        add(WriterLocks.of(bits), ENTRIES, delta);
    }

    /**
     * Counts memory of chunks.
     *
     * @param bits bits that choose the lock
     * @param delta added bytes; negative for freed ones
     */
    public final void memory(long bits, long delta) {
        add(WriterLocks.of(bits), BYTES, delta);
    }

    /**
     * Counts memory of chunks that no writer lock guards. Must not be called by two threads at once.
     *
     * @param delta added bytes; negative for freed ones
     */
    public final void memoryApart(long delta) {
        add(WriterLocks.COUNT, BYTES, delta);
    }

    /** {@return the number of entries} */
    public final long entries() {
        return sum(ENTRIES);
    }

    /** {@return bytes of memory} */
    public final long memoryBytes() {
        return sum(BYTES);
    }
}
