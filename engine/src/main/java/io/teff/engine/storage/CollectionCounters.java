package io.teff.engine.storage;

import java.util.concurrent.atomic.AtomicLongArray;

/** What a collection counts, by lane: a number is written by who holds its lane, and read by anybody. */
public class CollectionCounters {
    private final AtomicLongArray entries = new AtomicLongArray(WriterLocks.COUNT);
    private final AtomicLongArray bytes = new AtomicLongArray(WriterLocks.COUNT + 1);

    /** Begins at nothing. */
    public CollectionCounters() {}

    /**
     * Adds to a number.
     *
     * @param numbers one for each lane
     * @param lane which
     * @param delta what to add
     * @return the sum
     */
    protected static long add(AtomicLongArray numbers, int lane, long delta) {
        long sum = numbers.getPlain(lane) + delta;
        numbers.setOpaque(lane, sum);
        return sum;
    }

    /**
     * Adds numbers up.
     *
     * @param numbers some
     * @return their sum
     */
    protected static long sum(AtomicLongArray numbers) {
        long sum = 0;
        for (int lane = 0; lane < numbers.length(); lane++) {
            sum += numbers.getOpaque(lane);
        }
        return sum;
    }

    /**
     * Counts entries.
     *
     * @param bits of the lane ({@link WriterLocks#of})
     * @param delta how many more
     */
    public final void count(long bits, long delta) {
        add(entries, WriterLocks.of(bits), delta);
    }

    /**
     * Counts memory of chunks.
     *
     * @param bits of the lane
     * @param delta how many bytes more
     */
    public final void memory(long bits, long delta) {
        add(bytes, WriterLocks.of(bits), delta);
    }

    /**
     * Counts memory of chunks that belong to no lane; by one thread at a time.
     *
     * @param delta how many bytes more
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
